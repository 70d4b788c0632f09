//! The proxy as a whole, before a real upstream on loopback.
#![cfg(test)]

mod authorization;
mod command_line;
mod demo;
mod demo_search;
mod disconnect;
mod edge;
mod embedding_service;
mod evaluation;
mod fetching;
mod lifecycle;
mod methods;
mod models;
mod monitoring;
mod negotiation;
mod openapi;
mod operations;
mod pass_through;
mod plain_search;
mod proxied;
mod rate_limits;
mod searches;
mod stopping;
mod taken_names;
mod templates;
mod tools;
