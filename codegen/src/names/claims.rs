//! Whose a type is.

/// A resource that a type belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// The resource's name in the same module.
    pub resource: String,
    /// The name that the resource would have given the type, where that was another's.
    pub wanted: Option<String>,
}

/// The resources that a type belongs to, in order, each once. A sorted list, since nearly all types belong to one
/// resource and there are tens of thousands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims(Vec<Claim>);

impl Claims {
    /// Lets a claim join, unless it is there.
    pub fn insert(&mut self, claim: Claim) {
        if let Err(at) = self.0.binary_search(&claim) {
            self.0.insert(at, claim);
        }
    }

    /// The first of them.
    pub fn first(&self) -> Option<&Claim> {
        self.0.first()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Claim> {
        self.0.iter()
    }

    /// Whether there is none, as for types that are written by hand.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<Claim> for Claims {
    fn extend<I: IntoIterator<Item = Claim>>(&mut self, claims: I) {
        claims.into_iter().for_each(|claim| self.insert(claim));
    }
}

impl FromIterator<Claim> for Claims {
    fn from_iter<I: IntoIterator<Item = Claim>>(claims: I) -> Claims {
        let mut all = Claims(Vec::with_capacity(1));
        all.extend(claims);
        all
    }
}

impl IntoIterator for Claims {
    type Item = Claim;
    type IntoIter = std::vec::IntoIter<Claim>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'c> IntoIterator for &'c Claims {
    type Item = &'c Claim;
    type IntoIter = std::slice::Iter<'c, Claim>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_in_order_and_each_is_there_once() {
        let claim = |resource: &str| Claim { resource: resource.to_owned(), wanted: None };
        let claims: Claims = ["b", "a", "b"].map(claim).into_iter().collect();
        let all: Vec<&str> = claims.iter().map(|claim| claim.resource.as_str()).collect();
        assert_eq!(all, ["a", "b"]);
        assert_eq!(claims.first(), Some(&claim("a")));
        assert!(Claims::default().is_empty());
    }
}
