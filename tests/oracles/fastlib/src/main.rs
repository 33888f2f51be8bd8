// SPDX-License-Identifier: Apache-2.0
//! Reads lines `{"templates": XML, "data": HEX}`; answers each with `{"messages": [...]}` or `{"error": TEXT}`.
//! A message is a list of pairs of name and value, absent fields left out; sequences are lists of such lists.
//! With `bench TEMPLATES DATA ROUNDS` it reads the files, decodes the datagrams in DATA (each behind its length, two bytes,
//! the highest first) so many times, and prints the nanoseconds of each round, its messages and a sum of the values.

use std::io::{self, BufRead, Write};
use std::panic;

use fastlib::{Decoder, MessageFactory, Value};
use serde_json::{json, Value as Json};

/// Lists that are open, the innermost last.
struct Lists(Vec<(String, Vec<Json>)>);

impl Lists {
    fn open(&mut self, name: &str) {
        self.0.push((name.to_string(), Vec::new()));
    }

    fn add(&mut self, entry: Json) {
        self.0.last_mut().expect("a list is open").1.push(entry);
    }

    fn close_named(&mut self) {
        let (name, entries) = self.0.pop().expect("a list is open");
        self.add(json!([name, entries]));
    }
}

impl MessageFactory for Lists {
    fn start_template(&mut self, id: u32, _name: &str) {
        self.add(json!(["id", id]));
    }
    fn stop_template(&mut self) {}
    fn set_value(&mut self, _id: u32, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.add(json!([name, shown(value)]));
        }
    }
    fn start_sequence(&mut self, _id: u32, name: &str, _length: u32) {
        self.open(name);
    }
    fn start_sequence_item(&mut self, _index: u32) {
        self.open("");
    }
    fn stop_sequence_item(&mut self) {
        let (_, entries) = self.0.pop().expect("a list is open");
        self.add(json!(entries));
    }
    fn stop_sequence(&mut self) {
        self.close_named();
    }
    fn start_group(&mut self, name: &str) {
        self.open(name);
    }
    fn stop_group(&mut self) {
        self.close_named();
    }
    fn start_template_ref(&mut self, _name: &str, dynamic: bool) {
        if dynamic {
            self.open("templateRef");
        } else {
            self.open("");
        }
    }
    fn stop_template_ref(&mut self) {
        let (name, entries) = self.0.pop().expect("a list is open");
        if name.is_empty() {
            entries.into_iter().for_each(|entry| self.add(entry));
        } else {
            self.add(json!([name, entries]));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn shown(value: Value) -> Json {
    match value {
        Value::UInt32(number) => json!(number),
        Value::Int32(number) => json!(number),
        Value::UInt64(number) => json!(number),
        Value::Int64(number) => json!(number),
        Value::Decimal(number) => json!([number.exponent, number.mantissa]),
        Value::ASCIIString(text) | Value::UnicodeString(text) => json!(hex(text.as_bytes())),
        Value::Bytes(bytes) => json!(hex(&bytes)),
    }
}

fn bytes_of(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits")).collect()
}

fn answer(line: &str) -> Json {
    let asked: Json = serde_json::from_str(line).expect("a line is JSON");
    let data = bytes_of(asked["data"].as_str().expect("`data` is text"));
    let mut decoder = match Decoder::new_from_xml(asked["templates"].as_str().expect("`templates` is text")) {
        Ok(decoder) => decoder,
        Err(error) => return json!({"error": error.to_string()}),
    };
    let (mut at, mut messages) = (0, Vec::new());
    while at < data.len() {
        let mut lists = Lists(vec![(String::new(), Vec::new())]);
        match decoder.decode_buffer(&data[at..], &mut lists) {
            Ok(read) => at += read as usize,
            Err(error) => return json!({"error": error.to_string()}),
        }
        messages.push(lists.0.pop().expect("the message").1);
    }
    json!({"messages": messages})
}

/// All values added up, so that nothing is left out.
#[derive(Default)]
struct Sum {
    sum: u64,
    messages: u64,
}

impl MessageFactory for Sum {
    fn start_template(&mut self, _id: u32, _name: &str) {
        self.messages += 1;
    }
    fn stop_template(&mut self) {}
    fn set_value(&mut self, _id: u32, _name: &str, value: Option<Value>) {
        self.sum = self.sum.wrapping_add(match value {
            Some(Value::UInt32(number)) => number as u64,
            Some(Value::Int32(number)) => number as u64,
            Some(Value::UInt64(number)) => number,
            Some(Value::Int64(number)) => number as u64,
            Some(Value::Decimal(number)) => (number.mantissa as u64).wrapping_add(number.exponent as u64),
            Some(Value::ASCIIString(text)) | Some(Value::UnicodeString(text)) => {
                text.bytes().map(u64::from).sum()
            }
            Some(Value::Bytes(bytes)) => bytes.iter().map(|byte| u64::from(*byte)).sum(),
            None => 0,
        });
    }
    fn start_sequence(&mut self, _id: u32, _name: &str, length: u32) {
        self.sum = self.sum.wrapping_add(u64::from(length));
    }
    fn start_sequence_item(&mut self, _index: u32) {}
    fn stop_sequence_item(&mut self) {}
    fn stop_sequence(&mut self) {}
    fn start_group(&mut self, _name: &str) {}
    fn stop_group(&mut self) {}
    fn start_template_ref(&mut self, _name: &str, _dynamic: bool) {}
    fn stop_template_ref(&mut self) {}
}

fn bench(templates: &str, data: &str, rounds: &str) {
    let text = std::fs::read_to_string(templates).expect("the templates can be read");
    let data = std::fs::read(data).expect("the datagrams can be read");
    let mut decoder = Decoder::new_from_xml(&text).expect("the templates are right");
    for _ in 0..rounds.parse().expect("a number of rounds") {
        let mut sum = Sum::default();
        let begin = std::time::Instant::now();
        let mut at = 0;
        while at + 2 <= data.len() {
            let end = at + 2 + usize::from(u16::from_be_bytes([data[at], data[at + 1]]));
            at += 2;
            decoder.reset();
            while at < end {
                at += decoder.decode_buffer(&data[at..end], &mut sum).expect("a message") as usize;
            }
        }
        println!("{} {} {}", begin.elapsed().as_nanos(), sum.messages, sum.sum);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, what, templates, data, rounds] = arguments.as_slice() {
        if what == "bench" {
            return bench(templates, data, rounds);
        }
    }
    panic::set_hook(Box::new(|_| {}));
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input can be read");
        let said = panic::catch_unwind(|| answer(&line)).unwrap_or_else(|_| json!({"error": "panic"}));
        writeln!(io::stdout(), "{said}").expect("standard output can be written");
    }
}
