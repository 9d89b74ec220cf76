#!/bin/sh
# A stream handler: answers each call record with itself as content. What a call wants beyond that stands in it.
while IFS= read -r line; do
  case $line in
    *die*) echo "dying as asked" >&2; exit 7 ;;
    *garbage*) echo 'no record' ;;
    *refuse*) echo '{"type":"result","is_error":true,"content":"no"}' ;;
    *extra*) echo '{"content":[1.0,12345678901234567890],"seconds":0.10,"metadata":{"cost":1e2}}' ;;
    *wait*) sleep 100 ;;
    *) printf '{"type":"result","content":%s}\n' "$line" ;;
  esac
done
