//! The table of regions belongs to the records, and says for each what the single questions say.

use generated::{is_offered_in, regions, regions_offering, resource, resources};

#[test]
fn lists_and_answers_agree() {
    assert!(regions().is_sorted() && regions().len() > 30, "{:?}", regions());
    let mut everywhere = 0;
    for resource in resources() {
        let listed: Vec<&str> = regions_offering(resource).into_iter().flatten().collect();
        for region in regions() {
            let answer = is_offered_in(resource, region);
            assert_eq!(answer, answer.map(|_| listed.contains(region)), "{} in {region}", resource.token());
        }
        everywhere += usize::from(listed.len() == regions().len());
    }
    assert!(everywhere > 400 && everywhere < resources().len(), "{everywhere}");
}

#[test]
fn well_known_places() {
    let check = |token: &str, region: &str, expected: Option<bool>| {
        let resource = resource(token).expect("the type is in the package");
        assert_eq!(is_offered_in(resource, region), expected, "{token} in {region}");
    };
    check("aws-native:s3:Bucket", "us-east-1", Some(true));
    check("aws-native:sqs:Queue", "cn-north-1", Some(true));
    // CloudFront is managed from one region.
    check("aws-native:cloudfront:Distribution", "eu-west-2", Some(true));
    check("aws-native:s3:Bucket", "xx-nowhere-1", None);
}
