//! Prints what serving a package schema costs, streamed and whole:
//! `cargo run --release -p protocol --example measure_schema -- schema.json.zst`.
//!
//! The file is one zstd frame that says the size of its content. The server is a process of its own, so that its
//! memory can be read.
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]
#![allow(clippy::disallowed_methods, reason = "a program that measures reads files and the environment")]

use std::error::Error;
use std::io::{BufRead, BufReader, Cursor};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use protocol::MAX_MESSAGE_BYTES;
use protocol::plugin::{self, Plugin};
use protocol::pulumirpc::GetSchemaRequest;
use protocol::pulumirpc::resource_provider_client::ResourceProviderClient;
use protocol::schema::{SchemaText, WithSchema};
use tonic::Status;

#[path = "../tests/support/provider.rs"]
mod provider;

const FILE: &str = "MEASURED_SCHEMA";
const MODE: &str = "MEASURED_MODE";

fn main() -> ExitCode {
    let result = match env::var(MODE).as_deref() {
        Ok("streamed") => return plugin::main("streamed", |plugin| WithSchema::new(whole(plugin), |_| open())),
        Ok(_) => return plugin::main("whole", whole),
        Err(_) => measure(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn whole(
    plugin: Plugin,
) -> protocol::pulumirpc::resource_provider_server::ResourceProviderServer<provider::TinyProvider> {
    let schema = || zstd::decode_all(Cursor::new(compressed())).unwrap_or_default();
    plugin::resource_provider(provider::TinyProvider { engine: plugin.engine, shutdown: plugin.shutdown, schema })
}

fn open() -> Result<SchemaText, Status> {
    let frame = compressed();
    let length = zstd::zstd_safe::get_frame_content_size(&frame).ok().flatten().unwrap_or_default();
    let reader = zstd::Decoder::with_buffer(Cursor::new(frame)).map_err(|error| Status::internal(error.to_string()))?;
    Ok(SchemaText::new(length as usize, reader))
}

fn compressed() -> Vec<u8> {
    env::var(FILE).ok().and_then(|file| fs::read(file).ok()).unwrap_or_default()
}

#[tokio::main(flavor = "current_thread")]
async fn measure() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("name a file: measure_schema schema.json.zst")?;
    println!(
        "{:<10}{:>6}{:>12}{:>12}{:>12}{:>14}{:>14}",
        "", "MB", "first ms", "ms per MB", "CPU/MB", "peak MiB", "after MiB"
    );
    for mode in ["whole", "streamed"] {
        let mut child =
            Command::new(env::current_exe()?).env(MODE, mode).env(FILE, &file).stdout(Stdio::piped()).spawn()?;
        let measured = drive(&mut child, mode).await;
        child.kill()?;
        child.wait()?;
        measured?;
    }
    Ok(())
}

async fn drive(child: &mut Child, mode: &str) -> Result<(), Box<dyn Error>> {
    const CALLS: u32 = 20;
    let mut port = String::new();
    BufReader::new(child.stdout.take().ok_or("no stdout")?).read_line(&mut port)?;
    let address = format!("http://127.0.0.1:{}", port.trim());
    let mut client = ResourceProviderClient::connect(address).await?.max_decoding_message_size(MAX_MESSAGE_BYTES);
    let mut call = async || -> Result<(f64, Duration), Status> {
        let started = Instant::now();
        let response = client.get_schema(GetSchemaRequest::default()).await?.into_inner();
        Ok((response.schema.len() as f64 / 1e6, started.elapsed()))
    };
    let (megabytes, first) = call().await?;
    let cpu_before = cpu_milliseconds(child.id())?;
    let mut best = first;
    for _ in 0..CALLS {
        best = best.min(call().await?.1);
    }
    let cpu = (cpu_milliseconds(child.id())? - cpu_before) / f64::from(CALLS);
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!(
        "{mode:<10}{megabytes:>6.1}{:>12.1}{:>12.2}{:>12.2}{:>14.1}{:>14.1}",
        milliseconds(first),
        milliseconds(best) / megabytes,
        cpu / megabytes,
        memory(child.id(), "VmHWM:")?,
        memory(child.id(), "VmRSS:")?,
    );
    Ok(())
}

/// The processor time of a process so far.
fn cpu_milliseconds(process: u32) -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string(format!("/proc/{process}/schedstat"))?;
    Ok(text.split_whitespace().next().ok_or("empty schedstat")?.parse::<f64>()? / 1e6)
}

/// A line of `/proc/PID/status`, in MiB.
fn memory(process: u32, line: &str) -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string(format!("/proc/{process}/status"))?;
    let value = text.lines().find_map(|text| text.strip_prefix(line)).ok_or("no such line")?;
    Ok(value.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
}
