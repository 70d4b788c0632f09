//! The proxy as a whole, before a real upstream on loopback.
#![cfg(test)]

mod methods;
mod negotiation;
mod proxied;
