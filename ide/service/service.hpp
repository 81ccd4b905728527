// Shared by the parts of the service: the documents, the lanes in which work runs, and the way back to the client.
//
// Messages are handled in their order on the front lane, which owns the documents. Work that takes longer than a
// keystroke goes to a lane of its own with its snapshot: mistakes to `checks`, whole conversions to `loads`, commands
// to `commands`. A change of a document replaces waiting work for its older versions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "ide/rpc/rpc.hpp"
#include "ide/service/protocol.hpp"
#include "ide/service/session.hpp"
#include "ide/service/snapshot.hpp"

namespace rgtrans::ide {

using SnapshotPointer = std::shared_ptr<const Snapshot>;
using Documents = std::map<std::string, SnapshotPointer, std::less<>>;  // by URI

// The capabilities that the client has declared.
struct Abilities {
  bool pulls_diagnostics = false, refreshes_diagnostics = false, refreshes_hints = false;
  bool snippets = false, nested_symbols = false, prepares_rename = false;
};

// Lanes in which a request can be answered.
enum class Pace : std::uint8_t { check, command };

class Service {
 public:
  explicit Service(Session::Send send) : send_(std::move(send)) {}

  // --- For the front lane. ---
  Encoding encoding = Encoding::utf16;
  Abilities client;
  Documents documents;
  std::vector<std::string> folders;  // of the workspace, as paths
  Bench bench;                       // of the lane of commands

  // The semantic tokens that the client has of a document.
  struct Tokens {
    std::string id;
    std::vector<std::uint32_t> data;
  };
  std::map<std::string, Tokens> tokens;

  void change_document(SnapshotPointer snapshot);
  void close_document(const std::string& uri);
  // Throws RequestError when it is not open.
  [[nodiscard]] SnapshotPointer document(const DocumentName& name) const { return document(name.uri); }
  [[nodiscard]] SnapshotPointer document(const std::string& uri) const;
  [[nodiscard]] static LinePlace place(const EditorPlace& position);
  [[nodiscard]] std::uint32_t offset(const Snapshot& snapshot, const EditorPlace& position) const;
  [[nodiscard]] outline::Span span(const Snapshot& snapshot, const EditorRange& range) const;
  [[nodiscard]] Json position(const Snapshot& snapshot, std::size_t offset) const;
  [[nodiscard]] Json range(const Snapshot& snapshot, outline::Span span) const;

  // --- For any thread. ---
  void send(const Json& message);
  void notify(std::string_view method, Json params);
  void request(std::string_view method);  // without parameters; the client's answer does not matter
  void close() { closed_ = true; }
  // Whether this is the newest version of a document that is open.
  [[nodiscard]] bool newest(const Snapshot& snapshot) const;
  [[nodiscard]] Json diagnostics(const Snapshot& snapshot, const std::vector<Finding>& findings) const;
  // All that is known by now, in full where the front end has been through with it.
  [[nodiscard]] static std::vector<Finding> findings(const Snapshot& snapshot);

  [[nodiscard]] Lane& lane(Pace pace) { return pace == Pace::check ? checks_ : commands_; }
  void cancel(const std::string& key);
  [[nodiscard]] bool idle() const { return checks_.idle() && loads_.idle() && commands_.idle(); }

 private:
  void check(SnapshotPointer snapshot);
  void load(SnapshotPointer snapshot);
  void publish(const Snapshot& snapshot, const std::vector<Finding>& findings);

  Session::Send send_;
  std::mutex sending_;
  std::atomic<bool> closed_ = false;
  std::atomic<std::int64_t> next_request_ = 1;
  mutable std::mutex newest_mutex_;
  std::map<std::string, const Snapshot*, std::less<>> newest_;
  Lane loads_, commands_, checks_;  // the last one gives work to the first
};

// --- The tables of requests. ---

// Answered on the front lane.
struct Request {
  std::string_view method;
  Json (*answer)(Service& service, const Json& params);
};
// Begun on the front lane, which sees the documents; the rest is done in another lane.
using Rest = std::function<Json(const Stop&)>;
struct SlowRequest {
  std::string_view method;
  Pace pace;
  Rest (*begin)(Service& service, const Json& params);
};

std::span<const Request> requests();
std::span<const SlowRequest> slow_requests();
// The answer to `initialize`; stores the capabilities of the client.
Json initialize(Service& service, const Json& params);

}  // namespace rgtrans::ide
