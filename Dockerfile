# rgtrans in a container:
#     scripts/release && docker build -t rgtrans . && docker run --rm -v "$PWD/games:/games" rgtrans perft /games/hrg/chess.hrg 3
# `build` and the engine cpp need a compiler in it, too: docker build --build-arg COMPILER=g++ …
# scripts/release --check runs these commands in a minimal Debian.
FROM debian:bookworm-slim
ARG COMPILER=
COPY dist/rgtrans_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/rgtrans_*.deb $COMPILER && rm -rf /tmp/rgtrans_*.deb /var/lib/apt/lists/*
ENTRYPOINT ["rgtrans"]
