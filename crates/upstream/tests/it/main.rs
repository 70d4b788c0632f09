//! The client against scripted upstreams on loopback.
#![cfg(test)]

mod answers;
mod asides;
mod cancel;
mod credentials;
mod embeddings;
mod era;
mod failures;
mod listing;
mod passage;
mod proxied;
mod raw_server;
mod redirects;
mod retries;
mod scripted;
mod secure;
mod session;
