//! EC2: regions and their zones.

use super::{element, elements, start};
use emulator::Options;

#[test]
fn zones_and_regions_are_described() {
    let client = start(Options::default());
    let asked = |form: &str| client.query("ec2", "123456789012", &format!("Version=2016-11-15&Action={form}"));
    let zones = asked("DescribeAvailabilityZones").text;
    assert_eq!(elements(&zones, "zoneName"), ["eu-west-1a", "eu-west-1b", "eu-west-1c"]);
    assert_eq!(elements(&zones, "zoneId"), ["euw1-az1", "euw1-az2", "euw1-az3"]);
    assert_eq!(elements(&zones, "zoneState"), ["available"; 3]);
    let filter = "DescribeAvailabilityZones&Filter.1.Name=zone-id&Filter.1.Value.1=euw1-az2&Filter.1.Value.2=euw1-az9";
    assert_eq!(elements(&asked(filter).text, "zoneName"), ["eu-west-1b"]);
    let other = "DescribeAvailabilityZones&Filter.1.Name=region-name&Filter.1.Value.1=us-east-1";
    assert_eq!(elements(&asked(other).text, "zoneName").len(), 0);
    assert_eq!(elements(&asked("DescribeAvailabilityZones&ZoneName.1=eu-west-1c").text, "zoneId"), ["euw1-az3"]);
    let regions = asked("DescribeRegions").text;
    assert_eq!(elements(&regions, "regionName").len(), 34);
    assert!(regions.contains("<regionEndpoint>ec2.sa-east-1.amazonaws.com</regionEndpoint>"));
    let platforms = asked("DescribeAccountAttributes&AttributeName.1=supported-platforms").text;
    assert_eq!(elements(&platforms, "attributeValue"), ["VPC"]);
    for (form, message) in [
        ("DescribeAvailabilityZones&ZoneName.1=eu-west-1z", "Invalid availability zone: [eu-west-1z]"),
        ("DescribeRegions&RegionName.1=moon-1", "Invalid region name: [moon-1]"),
        ("DescribeRegions&Filter.1.Name=size&Filter.1.Value.1=big", "The filter 'size' is invalid"),
    ] {
        let answer = asked(form);
        assert_eq!((answer.status, element(&answer.text, "Code").as_deref()), (400, Some("InvalidParameterValue")));
        assert_eq!(element(&answer.text, "Message").as_deref(), Some(message));
    }
}
