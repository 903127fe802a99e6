//! EC2, as far as programs ask it where they are: regions, zones, what the account has.

use super::error::{Form, ServiceError};
use super::{Service, ServiceCall};
use crate::http::{Reply, form, xml};

const NAMESPACE: &str = "http://ec2.amazonaws.com/doc/2016-11-15/";

/// The Elastic Compute Cloud.
pub(super) struct Ec2;

impl Service for Ec2 {
    fn name(&self) -> &'static str {
        "ec2"
    }

    fn form(&self) -> Form {
        Form::Ec2
    }

    fn operations(&self) -> &'static [&'static str] {
        &["DescribeAvailabilityZones", "DescribeRegions", "DescribeAccountAttributes"]
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let result = match call.operation {
            "DescribeAvailabilityZones" => zones(call)?,
            "DescribeRegions" => regions(call)?,
            _ => attributes(call),
        };
        let (operation, id) = (call.operation, call.asked.id);
        Ok(Reply::Now(xml::document(
            200,
            format!(
                "<{operation}Response xmlns=\"{NAMESPACE}\"><requestId>{id}</requestId>{result}</{operation}Response>"
            ),
        )))
    }
}

fn zones(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let form = call.form();
    let region = &*call.asked.caller.scope.region;
    let (names, ids) = (form::list(&form, "ZoneName"), form::list(&form, "ZoneId"));
    let all = call.core.knowledge.regions.zones(region);
    let unknown = |name: &&String| !all.iter().any(|zone| zone.name == **name || zone.id == **name);
    if let Some(name) = names.iter().chain(&ids).find(unknown) {
        return Err(invalid(format!("Invalid availability zone: [{name}]")));
    }
    let filters = Filters::read(&form)?;
    let mut items = String::new();
    for zone in &all {
        let values = [
            ("zone-name", zone.name.as_str()),
            ("zone-id", zone.id.as_str()),
            ("region-name", region),
            ("group-name", region),
            ("network-border-group", region),
            ("state", "available"),
            ("zone-type", "availability-zone"),
            ("opt-in-status", "opt-in-not-required"),
        ];
        let is_named = (names.is_empty() && ids.is_empty()) || names.contains(&zone.name) || ids.contains(&zone.id);
        if filters.pass(&values)? && is_named {
            items += &format!(
                "<item><zoneName>{}</zoneName><zoneState>available</zoneState><regionName>{region}</regionName>\
                 <messageSet/><zoneId>{}</zoneId><groupName>{region}</groupName>\
                 <networkBorderGroup>{region}</networkBorderGroup><optInStatus>opt-in-not-required</optInStatus>\
                 <zoneType>availability-zone</zoneType></item>",
                zone.name, zone.id
            );
        }
    }
    Ok(format!("<availabilityZoneInfo>{items}</availabilityZoneInfo>"))
}

fn regions(call: &ServiceCall<'_>) -> Result<String, ServiceError> {
    let form = call.form();
    let scope = &call.asked.caller.scope;
    let names = form::list(&form, "RegionName");
    let all = call.core.knowledge.regions.beside(scope);
    if let Some(name) = names.iter().find(|name| !all.contains(&name.as_str())) {
        return Err(invalid(format!("Invalid region name: [{name}]")));
    }
    let filters = Filters::read(&form)?;
    let mut items = String::new();
    for region in all {
        let endpoint = format!("ec2.{region}.{}", scope.suffix());
        let values = [("region-name", region), ("endpoint", &endpoint), ("opt-in-status", "opt-in-not-required")];
        if filters.pass(&values)? && (names.is_empty() || names.iter().any(|name| name == region)) {
            items += &format!(
                "<item><regionName>{region}</regionName><regionEndpoint>{endpoint}</regionEndpoint>\
                 <optInStatus>opt-in-not-required</optInStatus></item>"
            );
        }
    }
    Ok(format!("<regionInfo>{items}</regionInfo>"))
}

fn attributes(call: &ServiceCall<'_>) -> String {
    const ALL: [(&str, &str); 4] = [
        ("default-vpc", "none"),
        ("supported-platforms", "VPC"),
        ("vpc-max-elastic-ips", "5"),
        ("vpc-max-security-groups-per-interface", "5"),
    ];
    let names = form::list(&call.form(), "AttributeName");
    let wanted = ALL.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name));
    let item = |(name, value): &(&str, &str)| {
        format!(
            "<item><attributeName>{name}</attributeName><attributeValueSet><item>\
             <attributeValue>{value}</attributeValue></item></attributeValueSet></item>"
        )
    };
    format!("<accountAttributeSet>{}</accountAttributeSet>", wanted.map(item).collect::<String>())
}

/// `Filter.N.Name` with `Filter.N.Value.M`: every filter must hold, by one of its values.
struct Filters(Vec<(String, Vec<String>)>);

impl Filters {
    fn read(form: &str) -> Result<Filters, ServiceError> {
        let filter = |number: usize| {
            let name = form::get(form, &format!("Filter.{number}.Name"))?;
            Some((name, form::list(form, &format!("Filter.{number}.Value"))))
        };
        Ok(Filters((1..=200).map_while(filter).collect()))
    }

    /// Whether something with these values passes; a filter by anything else is an error.
    fn pass(&self, values: &[(&str, &str)]) -> Result<bool, ServiceError> {
        for (name, wanted) in &self.0 {
            let known = values.iter().find(|(known, _)| known == name);
            let (_, value) = known.ok_or_else(|| invalid(format!("The filter '{name}' is invalid")))?;
            if !wanted.iter().any(|wanted| wanted == value) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn invalid(text: String) -> ServiceError {
    ServiceError::new(400, "InvalidParameterValue", text)
}
