// Is type-checked together with the whole Node SDK, and never run. A line under `@ts-expect-error` must have an error: where
// it has none, the types have become too wide and the check fails.
import * as aws from "@pulumi/aws-native";
import * as pulumi from "@pulumi/pulumi";

const queue = new aws.sqs.Queue("jobs", { visibilityTimeout: 60, tags: [{ key: "team", value: "data" }] });
const bucket = new aws.s3.Bucket("files", { versioningConfiguration: { status: "Enabled" } });
new aws.iam.Role("worker", { assumeRolePolicyDocument: { Version: "2012-10-17" }, maxSessionDuration: 3600 });

export const arns: pulumi.Output<string>[] = [queue.arn, bucket.arn];

// @ts-expect-error: no such property.
new aws.sqs.Queue("misspelled", { visibilityTimeoutt: 60 });
// @ts-expect-error: a number is needed.
new aws.sqs.Queue("text", { visibilityTimeout: "60" });
// @ts-expect-error: the policy is required.
new aws.iam.Role("bare", {});
// @ts-expect-error: not one of the values.
new aws.s3.Bucket("unknown", { versioningConfiguration: { status: "On" } });

// The three enums whose published members broke SDKs: an empty value without a name, and a name that a type had already.
const enums = aws.types.enums;
export const empty: "" = enums.devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArn.Empty;
export const alsoEmpty: "" = enums.devopsagent.ServiceMcpServerSigV4AuthorizationConfigRoleArn1.Empty;
export const output: "Output" = enums.sagemaker.EndpointConfigCaptureOptionCaptureMode.OutputType;
