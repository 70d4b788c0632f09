//! The proxy as a whole, before a real upstream on loopback.
#![cfg(test)]

mod authorization;
mod lifecycle;
mod methods;
mod negotiation;
mod pass_through;
mod proxied;
mod tools;
