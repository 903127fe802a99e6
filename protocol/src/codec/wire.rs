//! Reading and writing the protobuf wire format, as far as `Struct` needs it.

/// The wire type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireType {
    Varint,
    Fixed64,
    Length,
    GroupStart,
    GroupEnd,
    Fixed32,
}

/// What makes bytes unreadable.
pub(super) type Reason = &'static str;

const TRUNCATED: Reason = "the message ends early";

/// A message, read from front to back.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The number and type of the next field.
    pub(super) fn tag(&mut self) -> Result<(u32, WireType), Reason> {
        let tag = self.varint()?;
        let wire_type = match tag & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            2 => WireType::Length,
            3 => WireType::GroupStart,
            4 => WireType::GroupEnd,
            5 => WireType::Fixed32,
            _ => return Err("a field has an unknown wire type"),
        };
        match u32::try_from(tag >> 3) {
            Ok(number) if number != 0 && number < 1 << 29 => Ok((number, wire_type)),
            _ => Err("a field number is out of range"),
        }
    }

    pub(super) fn varint(&mut self) -> Result<u64, Reason> {
        // Tags and most lengths take one byte.
        if let Some((&first, rest)) = self.rest.split_first()
            && first < 0x80
        {
            self.rest = rest;
            return Ok(first.into());
        }
        let mut value = 0;
        for (position, &byte) in self.rest.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * position);
            if byte < 0x80 {
                self.rest = &self.rest[position + 1..];
                return Ok(value);
            }
        }
        Err(if self.rest.len() < 10 { TRUNCATED } else { "a number has too many bytes" })
    }

    pub(super) fn fixed64(&mut self) -> Result<u64, Reason> {
        let (bytes, rest) = self.rest.split_first_chunk::<8>().ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    pub(super) fn length_delimited(&mut self) -> Result<&'a [u8], Reason> {
        let length = usize::try_from(self.varint()?).map_err(|_| TRUNCATED)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(TRUNCATED)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// The content of the next field, if it has this tag and fewer than 128 bytes: the usual case, without its branches.
    ///
    /// Whatever else comes next stays where it is.
    pub(super) fn short_field(&mut self, tag: u8) -> Option<&'a [u8]> {
        match self.rest {
            [first, length, rest @ ..] if *first == tag && *length < 0x80 => {
                let (content, rest) = rest.split_at_checked(usize::from(*length))?;
                self.rest = rest;
                Some(content)
            }
            _ => None,
        }
    }

    /// Skips a field that is not known here, groups included.
    pub(super) fn skip(&mut self, wire_type: WireType) -> Result<(), Reason> {
        let mut open_groups = 0_usize;
        let mut wire_type = wire_type;
        loop {
            match wire_type {
                WireType::Varint => {
                    self.varint()?;
                }
                WireType::Fixed64 => {
                    self.fixed64()?;
                }
                WireType::Length => {
                    self.length_delimited()?;
                }
                WireType::Fixed32 => self.rest = self.rest.get(4..).ok_or(TRUNCATED)?,
                WireType::GroupStart => open_groups += 1,
                WireType::GroupEnd => {
                    open_groups = open_groups.checked_sub(1).ok_or("a group ends that did not start")?;
                }
            }
            if open_groups == 0 {
                return Ok(());
            }
            wire_type = self.tag()?.1;
        }
    }
}

/// A message, written from back to front.
///
/// Backwards, the length of a nested message is known when it has to be written. That saves a pass over the value to
/// compute lengths, or a buffer per level.
pub(super) struct Writer {
    /// Filled from the end; the front is room.
    buffer: Vec<u8>,
    start: usize,
}

impl Writer {
    pub(super) fn new() -> Self {
        const FIRST: usize = 1024;
        Self { buffer: vec![0; FIRST], start: FIRST }
    }

    /// The number of bytes written so far.
    pub(super) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    pub(super) fn prepend(&mut self, bytes: &[u8]) {
        if bytes.len() > self.start {
            self.grow(bytes.len());
        }
        self.start -= bytes.len();
        self.buffer[self.start..self.start + bytes.len()].copy_from_slice(bytes);
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let written = self.len();
        let capacity = (2 * self.buffer.len()).max(written + more);
        let mut buffer = vec![0; capacity];
        buffer[capacity - written..].copy_from_slice(&self.buffer[self.start..]);
        self.start = capacity - written;
        self.buffer = buffer;
    }

    pub(super) fn prepend_varint(&mut self, value: usize) {
        if value < 0x80 {
            return self.prepend(&[value as u8]);
        }
        let mut bytes = [0; 10];
        let mut length = 0;
        let mut rest = value;
        while rest >= 0x80 {
            bytes[length] = (rest as u8 & 0x7f) | 0x80;
            length += 1;
            rest >>= 7;
        }
        bytes[length] = rest as u8;
        self.prepend(&bytes[..=length]);
    }

    /// Makes what was written since `end` (a former [`Writer::len`]) the content of a field.
    pub(super) fn close_field(&mut self, tag: u8, end: usize) {
        self.prepend_varint(self.len() - end);
        self.prepend(&[tag]);
    }

    /// Writes a field of bytes.
    pub(super) fn prepend_field(&mut self, tag: u8, bytes: &[u8]) {
        self.prepend(bytes);
        self.prepend_varint(bytes.len());
        self.prepend(&[tag]);
    }

    pub(super) fn finish(self) -> bytes::Bytes {
        let start = self.start;
        bytes::Bytes::from(self.buffer).slice(start..)
    }
}

/// The tags (field number and wire type in one byte) of the messages behind `Struct`.
pub(super) mod tag {
    /// `Struct.fields`.
    pub(in super::super) const FIELDS: u8 = 1 << 3 | 2;
    /// The key of an entry of `Struct.fields`.
    pub(in super::super) const KEY: u8 = 1 << 3 | 2;
    /// The value of an entry of `Struct.fields`.
    pub(in super::super) const VALUE: u8 = 2 << 3 | 2;
    /// `ListValue.values`.
    pub(in super::super) const VALUES: u8 = 1 << 3 | 2;
    /// `Value.null_value`.
    pub(in super::super) const NULL: u8 = 1 << 3;
    /// `Value.number_value`.
    pub(in super::super) const NUMBER: u8 = 2 << 3 | 1;
    /// `Value.string_value`.
    pub(in super::super) const STRING: u8 = 3 << 3 | 2;
    /// `Value.bool_value`.
    pub(in super::super) const BOOL: u8 = 4 << 3;
    /// `Value.struct_value`.
    pub(in super::super) const STRUCT: u8 = 5 << 3 | 2;
    /// `Value.list_value`.
    pub(in super::super) const LIST: u8 = 6 << 3 | 2;
}
