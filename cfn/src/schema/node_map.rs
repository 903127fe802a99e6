//! Named nodes in ascending order of name.

use super::node::Node;

/// A map from name to [`Node`], sorted by the bytes of the name.
///
/// Most maps hold a handful of large values, so a sorted list is smaller than a tree, and as quick to search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeMap {
    entries: Vec<(String, Node)>,
}

impl NodeMap {
    /// The node of that name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        let index = self.position(name).ok()?;
        self.entries.get(index).map(|(_, node)| node)
    }

    /// The node of that name with the map's own copy of the name.
    pub fn entry(&self, name: &str) -> Option<(&str, &Node)> {
        let index = self.position(name).ok()?;
        self.entries.get(index).map(|(name, node)| (name.as_str(), node))
    }

    /// Whether there is a node of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_ok()
    }

    /// Adds a node or replaces the one that has the name.
    pub fn insert(&mut self, name: String, node: Node) {
        match self.position(&name) {
            Ok(index) => {
                if let Some(entry) = self.entries.get_mut(index) {
                    entry.1 = node;
                }
            }
            Err(index) => self.entries.insert(index, (name, node)),
        }
    }

    /// Names and nodes in ascending order of name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Node)> + Clone {
        self.entries.iter().map(|(name, node)| (name.as_str(), node))
    }

    /// Names and nodes in ascending order of name, the nodes to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut Node)> {
        self.entries.iter_mut().map(|(name, node)| (name.as_str(), node))
    }

    /// The names in ascending order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// The nodes in ascending order of name.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Node> + Clone {
        self.entries.iter().map(|(_, node)| node)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|(other, _)| other.as_str().cmp(name))
    }
}

/// Later entries replace earlier ones of the same name.
impl FromIterator<(String, Node)> for NodeMap {
    fn from_iter<I: IntoIterator<Item = (String, Node)>>(entries: I) -> Self {
        let mut map = NodeMap::default();
        for (name, node) in entries {
            match map.entries.last() {
                // Readers hand entries over in order, which makes this a plain append.
                Some((last, _)) if *last < name => map.entries.push((name, node)),
                None => map.entries.push((name, node)),
                Some(_) => map.insert(name, node),
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_unique() {
        let titled = |title: &str| Node { description: Some(title.to_owned()), ..Node::default() };
        let map: NodeMap = [("b", "1"), ("a", "2"), ("c", "3"), ("b", "4")]
            .into_iter()
            .map(|(name, title)| (name.to_owned(), titled(title)))
            .collect();
        let entries: Vec<_> = map.iter().map(|(name, node)| (name, node.description.as_deref())).collect();
        assert_eq!(entries, [("a", Some("2")), ("b", Some("4")), ("c", Some("3"))]);
        assert!(map.contains("c") && !map.contains("d") && map.get("e").is_none());
    }
}
