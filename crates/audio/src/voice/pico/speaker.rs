//! One Pico engine over the C library: text in, samples out.
//!
//! The safe bindings (`ttspico`) never dispose of an engine, so that each one keeps its files open,
//! and end the process when the library reports an error; hence the raw ones.
//!
//! Invariants: all of Pico's memory is one mapping that lives as long as the speaker. The library
//! has no state beside it, so that two speakers may run on two threads.

#![expect(unsafe_code, reason = "the voice is a C library")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use ttspico_sys as pico;

use super::lingware::{Lingware, NamedBytes};
use super::memory::Memory;

/// Samples a second.
pub(in crate::voice) const RATE: u32 = 16_000;
/// Enough for the largest language with its working space; only what is used becomes real.
const MEMORY: usize = 4 * 1024 * 1024;
/// A name of our own for the one voice of a system.
const VOICE: &CStr = c"bellwether";
/// How many samples are asked for at once.
const CHUNK: usize = 1024;

/// An engine that speaks one language.
pub(in crate::voice) struct Speaker {
    engine: pico::pico_Engine,
    resources: Vec<pico::pico_Resource>,
    system: pico::pico_System,
    /// Last, so that it outlives what lives in it.
    _memory: Memory,
}

/// What a step of the engine came to.
pub(in crate::voice) enum Step {
    /// So many samples, perhaps none, and more to come.
    Busy(usize),
    /// So many samples, and the text is over.
    Idle(usize),
}

impl Speaker {
    pub(in crate::voice) fn new(lingware: &Lingware) -> Result<Self, String> {
        let memory = Memory::new(MEMORY).map_err(|error| error.to_string())?;
        let size = u32::try_from(memory.size()).unwrap_or(u32::MAX);
        let mut system = ptr::null_mut();
        // SAFETY: the memory is ours, of that size, and outlives the system.
        let status = unsafe { pico::pico_initialize(memory.start(), size, &raw mut system) };
        let mut speaker = Self {
            engine: ptr::null_mut(),
            resources: Vec::new(),
            system,
            _memory: memory,
        };
        speaker.check(status)?;
        speaker.load(lingware)?;
        Ok(speaker)
    }

    /// Gives the engine the resources of a language and starts it.
    fn load(&mut self, lingware: &Lingware) -> Result<(), String> {
        // SAFETY: the system is initialised, the name ends with NUL.
        let status = unsafe { pico::pico_createVoiceDefinition(self.system, name(VOICE)) };
        self.check(status)?;
        for bytes in [lingware.analysis, lingware.generation] {
            self.add(bytes)?;
        }
        let engine = &raw mut self.engine;
        // SAFETY: the voice has both resources that an engine needs.
        let status = unsafe { pico::pico_newEngine(self.system, name(VOICE), engine) };
        self.check(status)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        let file = NamedBytes::of(bytes).map_err(|error| error.to_string())?;
        let path = CString::new(file.path().into_os_string().into_encoded_bytes())
            .map_err(|error| error.to_string())?;
        let mut resource = ptr::null_mut();
        // SAFETY: the system is initialised, the path ends with NUL; the file is read before this returns.
        let status =
            unsafe { pico::pico_loadResource(self.system, name(&path), &raw mut resource) };
        self.check(status)?;
        self.resources.push(resource);
        let mut called = [0 as c_char; pico::PICO_MAX_RESOURCE_NAME_SIZE];
        // SAFETY: the resource was loaded by this system, and the buffer is as long as names get.
        let status =
            unsafe { pico::pico_getResourceName(self.system, resource, called.as_mut_ptr()) };
        self.check(status)?;
        // SAFETY: the library has written a name that ends with NUL.
        let status = unsafe {
            let called = called.as_ptr().cast();
            pico::pico_addResourceToVoiceDefinition(self.system, name(VOICE), called)
        };
        self.check(status)
    }

    /// Takes as much of a text as there is room for, and says how much that was. A NUL in it makes
    /// the engine speak what it has.
    pub(in crate::voice) fn put(&mut self, text: &[u8]) -> Result<usize, String> {
        let length = i16::try_from(text.len()).unwrap_or(i16::MAX);
        let mut taken = 0;
        // SAFETY: the engine is there, and the text has at least that length.
        let status =
            unsafe { pico::pico_putTextUtf8(self.engine, text.as_ptr(), length, &raw mut taken) };
        self.check_engine(status)?;
        Ok(usize::try_from(taken).unwrap_or_default())
    }

    /// Goes on speaking; the samples are added to `to`.
    pub(in crate::voice) fn step(&mut self, to: &mut Vec<i16>) -> Result<Step, String> {
        let mut samples = [0i16; CHUNK];
        let (mut written, mut kind) = (0i16, 0i16);
        let room = i16::try_from(size_of_val(&samples)).unwrap_or(i16::MAX);
        // SAFETY: the engine is there, and the buffer has that many bytes.
        let status = unsafe {
            let samples = samples.as_mut_ptr().cast::<c_void>();
            let (written, kind) = (&raw mut written, &raw mut kind);
            pico::pico_getData(self.engine, samples, room, written, kind)
        };
        let count = usize::try_from(written).unwrap_or_default() / size_of::<i16>();
        let count = count.min(CHUNK);
        to.extend_from_slice(&samples[..count]);
        match status {
            pico::PICO_STEP_BUSY => Ok(Step::Busy(count)),
            pico::PICO_STEP_IDLE => Ok(Step::Idle(count)),
            status => Err(self.message(status)),
        }
    }

    fn check(&self, status: pico::pico_Status) -> Result<(), String> {
        if status >= pico::PICO_OK {
            // What is above is a warning.
            return Ok(());
        }
        let mut text = [0 as c_char; pico::PICO_RETSTRINGSIZE];
        if !self.system.is_null() {
            // SAFETY: the system is there, and the buffer is as long as messages get.
            unsafe {
                pico::pico_getSystemStatusMessage(self.system, status, text.as_mut_ptr());
            }
        }
        Err(told(&text, status))
    }

    fn check_engine(&self, status: pico::pico_Status) -> Result<(), String> {
        if status >= pico::PICO_OK {
            return Ok(());
        }
        Err(self.message(status))
    }

    fn message(&self, status: pico::pico_Status) -> String {
        let mut text = [0 as c_char; pico::PICO_RETSTRINGSIZE];
        // SAFETY: the engine is there, and the buffer is as long as messages get.
        unsafe {
            pico::pico_getEngineStatusMessage(self.engine, status, text.as_mut_ptr());
        }
        told(&text, status)
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        // SAFETY: each is disposed of once, the engine before what it uses. A resource keeps its file
        // open until it is unloaded, which it is not while a voice has it.
        unsafe {
            if !self.engine.is_null() {
                pico::pico_disposeEngine(self.system, &raw mut self.engine);
            }
            if !self.system.is_null() {
                pico::pico_releaseVoiceDefinition(self.system, name(VOICE));
            }
            for resource in &mut self.resources {
                pico::pico_unloadResource(self.system, &raw mut *resource);
            }
            if !self.system.is_null() {
                pico::pico_terminate(&raw mut self.system);
            }
        }
    }
}

fn name(text: &CStr) -> *const pico::pico_Char {
    text.as_ptr().cast()
}

fn told(text: &[c_char], status: pico::pico_Status) -> String {
    let bytes: Vec<u8> = text
        .iter()
        .map(|char| char.to_ne_bytes()[0])
        .take_while(|byte| *byte != 0)
        .collect();
    format!("{} (status {status})", String::from_utf8_lossy(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(speaker: &mut Speaker, text: &str) -> Vec<i16> {
        let text = format!("{text}\0");
        let (mut rest, mut samples) = (text.as_bytes(), Vec::new());
        while !rest.is_empty() {
            let taken = speaker.put(rest).unwrap();
            rest = &rest[taken..];
            while let Step::Busy(_) = speaker.step(&mut samples).unwrap() {}
        }
        samples
    }

    #[test]
    fn every_language_is_there_and_speaks() {
        for lingware in Lingware::ALL {
            let mut speaker = Speaker::new(lingware).unwrap();
            let samples = say(&mut speaker, "Radio, taxi, hotel.");
            let loudest = samples.iter().map(|it| it.unsigned_abs()).max().unwrap();
            assert!(samples.len() > 16_000 / 2, "{}", lingware.language);
            assert!(loudest > 3_000, "{}: {loudest}", lingware.language);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn nothing_stays_open() {
        let open = || {
            let files = std::fs::read_dir("/proc/self/fd").unwrap();
            let links = files.filter_map(|it| std::fs::read_link(it.unwrap().path()).ok());
            links
                .filter(|it| it.to_string_lossy().contains("lingware"))
                .count()
        };
        for _ in 0..3 {
            say(&mut Speaker::new(&Lingware::ALL[0]).unwrap(), "Again.");
        }
        assert_eq!(open(), 0);
    }
}
