//! What is otherwise than it should be, by nature.

/// Type, the beginning of what is told of it (`*` for anything), and the reason. Rows that explain nothing fail.
pub const KNOWN: [[&str; 3]; 11] = [
    ["AWS::ApiGatewayV2::Route", "check: ", "the package has a list where the schema has an object with `items`"],
    ["AWS::AutoScaling::AutoScalingGroup", "check: ", "the package has a list where the schema also takes a text"],
    ["AWS::MediaPackage::Asset", "check: ", "required members that only the service sets"],
    ["AWS::CloudWatch::View", "create: ", "no generated name fits the pattern: it begins with `view.`"],
    ["AWS::IoTManagedIntegrations::ManagedThing", "create: ", "no generated name fits the pattern: letters alone"],
    ["AWS::SNS::TopicPolicy", "create: ", "there is no read handler, so Cloud Control cannot manage it"],
    [
        "AWS::EC2::EIP",
        "after import",
        "the service has `vpc` whatever it was given: an import cannot tell what that was",
    ],
    ["AWS::EC2::Volume", "after import", "which key an alias stands for is not known where the program is new"],
    ["AWS::RDS::DBCluster", "after import", "which key an alias stands for is not known where the program is new"],
    ["AWS::RDS::DBInstance", "after import", "which key an alias stands for is not known where the program is new"],
    ["AWS::ElastiCache::CacheCluster", "after import", "the service shows less of a version than the program says"],
];
