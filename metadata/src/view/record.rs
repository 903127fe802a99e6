//! The record itself, and total access to its words and texts.

use std::fmt;

use crate::layout;

/// The packed metadata of one resource; read it through [`super::Resource`].
#[derive(Clone, Copy)]
pub struct Record {
    strings: &'static str,
    words: &'static [u32],
}

impl Record {
    /// Makes a record of what [`crate::encode()`] returned.
    #[must_use]
    pub const fn new(strings: &'static str, words: &'static [u32]) -> Self {
        Self { strings, words }
    }

    /// The string pool, as [`crate::encode()`] made it.
    #[must_use]
    pub const fn strings(&self) -> &'static str {
        self.strings
    }

    /// The words, as [`crate::encode()`] made them.
    #[must_use]
    pub const fn words(&self) -> &'static [u32] {
        self.words
    }

    /// The word at `offset`, or 0 where there is none.
    #[inline]
    pub(super) fn word(&self, offset: usize) -> u32 {
        self.words.get(offset).copied().unwrap_or(0)
    }

    /// The word at `offset` as an offset or index.
    #[inline]
    pub(super) fn offset(&self, offset: usize) -> usize {
        self.word(offset) as usize
    }

    /// The string with this index, or an empty text where there is none.
    #[inline]
    pub(super) fn text(&self, index: u32) -> &'static str {
        let entry = self.offset(layout::STRING_TABLE).saturating_add(index as usize);
        let (start, end) = (self.offset(entry), self.offset(entry.saturating_add(1)));
        self.strings.get(start..end).unwrap_or("")
    }

    /// The string whose index is the word at `offset`.
    #[inline]
    pub(super) fn text_at(&self, offset: usize) -> &'static str {
        self.text(self.word(offset))
    }

    /// `count` items of `stride` words from `offset` on, cut to what the words can hold.
    #[inline]
    pub(super) fn fitting(&self, count: u32, offset: usize, stride: usize) -> u32 {
        let room = self.words.len().saturating_sub(offset) / stride;
        count.min(u32::try_from(room).unwrap_or(u32::MAX))
    }

    /// The string list at `offset`; 0 is the empty list.
    #[inline]
    pub(super) fn list(&'static self, offset: usize) -> StrList {
        match offset {
            0 => StrList { record: self, start: 0, len: 0 },
            _ => StrList { record: self, start: offset + 1, len: self.fitting(self.word(offset), offset + 1, 1) },
        }
    }
}

/// The sizes alone: the contents are long and unreadable.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("string_bytes", &self.strings.len()).field("words", &self.words.len()).finish()
    }
}

/// A list of texts.
#[derive(Clone, Copy)]
pub struct StrList {
    record: &'static Record,
    start: usize,
    len: u32,
}

impl StrList {
    /// How many texts there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// True when there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The text at `index`, counted from 0.
    #[must_use]
    pub fn get(self, index: usize) -> Option<&'static str> {
        (index < self.len()).then(|| self.record.text_at(self.start + index))
    }

    /// True when one of the texts is `text`. Compares each in turn.
    #[must_use]
    pub fn contains(self, text: &str) -> bool {
        self.iter().any(|entry| entry == text)
    }

    /// The texts in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'static str> + DoubleEndedIterator + Clone {
        (0..self.len()).map(move |index| self.record.text_at(self.start + index))
    }

    /// The texts as owned strings.
    #[must_use]
    pub fn to_vec(self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }
}

impl fmt::Debug for StrList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
