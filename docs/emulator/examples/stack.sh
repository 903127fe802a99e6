#!/usr/bin/env bash
# A queue through the local Cloud Control with the AWS CLI. Needs EMULATOR_URL and aws in the PATH.
set -euo pipefail
export AWS_ACCESS_KEY_ID=111122223333 AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-west-2
cloud=(aws cloudcontrol --endpoint-url "$EMULATOR_URL" --output text)
token=$("${cloud[@]}" create-resource --type-name AWS::SQS::Queue --desired-state '{"QueueName":"orders"}' --query ProgressEvent.RequestToken)
"${cloud[@]}" wait resource-request-success --request-token "$token"
url=$("${cloud[@]}" list-resources --type-name AWS::SQS::Queue --query 'ResourceDescriptions[0].Identifier')
# The CLI would read an identifier that is a URL from the network.
"${cloud[@]}" get-resource --cli-input-json "{\"TypeName\":\"AWS::SQS::Queue\",\"Identifier\":\"$url\"}" --query ResourceDescription.Properties
