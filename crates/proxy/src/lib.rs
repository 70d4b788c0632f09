//! The proxy: HTTP edge, protocol, the five tools, and the commands.

mod instructions;
mod tools;
