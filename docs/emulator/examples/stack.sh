#!/usr/bin/env bash
# A queue with the AWS CLI: starts the emulator, creates, waits, changes, reads, deletes, and stops it.
# Needs cloudcontrol-emulator and aws in the PATH.
set -euo pipefail

folder=$(mktemp -d)
# Profile fast: operations take hundredths of a second, so that `wait` finds them finished at its first look.
cloudcontrol-emulator --port 0 --profile fast --ready-file "$folder/ready.json" >/dev/null &
emulator=$!
trap 'kill "$emulator" && wait "$emulator"; rm -rf "$folder"' EXIT
# The file is there, and whole, once the emulator serves.
until [ -f "$folder/ready.json" ]; do
    kill -0 "$emulator" || exit 1
    sleep 0.05
done

AWS_ENDPOINT_URL=$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$folder/ready.json")
export AWS_ENDPOINT_URL AWS_DEFAULT_REGION=us-west-2 AWS_DEFAULT_OUTPUT=text
# Any credentials are right; twelve digits name the account.
export AWS_ACCESS_KEY_ID=111122223333 AWS_SECRET_ACCESS_KEY=any

queue=AWS::SQS::Queue
token=$(aws cloudcontrol create-resource --type-name "$queue" --desired-state '{"QueueName":"orders"}' \
    --query ProgressEvent.RequestToken)
aws cloudcontrol wait resource-request-success --request-token "$token"
url=$(aws cloudcontrol list-resources --type-name "$queue" --query 'ResourceDescriptions[0].Identifier')

# The CLI reads a parameter that is a URL from that URL unless it is told not to.
export AWS_CONFIG_FILE="$folder/config"
printf '[default]\ncli_follow_urlparam = false\n' >"$AWS_CONFIG_FILE"
token=$(aws cloudcontrol update-resource --type-name "$queue" --identifier "$url" \
    --patch-document '[{"op":"add","path":"/VisibilityTimeout","value":60}]' --query ProgressEvent.RequestToken)
aws cloudcontrol wait resource-request-success --request-token "$token"
aws cloudcontrol get-resource --type-name "$queue" --identifier "$url" --query ResourceDescription.Properties
aws cloudcontrol delete-resource --type-name "$queue" --identifier "$url" --query ProgressEvent.OperationStatus
