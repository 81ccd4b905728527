#include "ide/rpc/lane.hpp"

#include <utility>

namespace rgtrans::ide {

Lane::Lane() { begin(); }

Lane::~Lane() {
  std::deque<Task> dropped;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    dropped.swap(waiting_);
    if (running_) running_->request();
  }
  changed_.notify_all();
  end();
}

std::deque<Lane::Task> Lane::take(const std::string& key) {
  std::deque<Task> taken, kept;
  for (Task& task : waiting_) (task.key == key ? taken : kept).push_back(std::move(task));
  waiting_ = std::move(kept);
  if (running_ && running_key_ == key) running_->request();
  return taken;
}

void Lane::post(std::string key, Work work, std::function<void()> dropped) {
  std::deque<Task> replaced;
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    if (!key.empty()) replaced = take(key);
    waiting_.push_back({std::move(key), std::move(work), std::move(dropped), std::make_shared<Stop>()});
  }
  changed_.notify_all();
  for (const Task& task : replaced) {
    if (task.dropped) task.dropped();
  }
}

void Lane::cancel(const std::string& key) {
  std::deque<Task> taken;
  {
    const std::lock_guard lock(mutex_);
    taken = take(key);
  }
  for (const Task& task : taken) {
    if (task.dropped) task.dropped();
  }
}

bool Lane::idle() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !running_;
}

std::size_t Lane::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

bool Lane::step() {
  std::unique_lock lock(mutex_);
  if (closing_ || waiting_.empty()) return false;
  Task task = std::move(waiting_.front());
  waiting_.pop_front();
  running_ = task.stop;
  running_key_ = task.key;
  lock.unlock();
  task.work(*task.stop);
  task.work = {};  // destroys its data before this lane can look idle
  lock.lock();
  running_.reset();
  changed_.notify_all();
  return true;
}

}  // namespace rgtrans::ide
