"""Verification of deliveries by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Mapping, Optional, Union

from . import _types
from ._errors import WebhookError

PREFIX = "whsec_"


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, Any],
    secret: Union[str, Iterable[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> "_types.WebhookEvent":
    """The event of a delivery that is signed with the secret and recent; raises WebhookError for any other.

    `body` is as it came, before any parser; `secret` may be several while one is replaced.
    """
    known = {str(name).lower(): str(value) for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not known.get(name)]
    if missing:
        raise WebhookError(f"the delivery has no header {missing[0]}")
    at = known["webhook-timestamp"]
    if not at.isdecimal() or abs((time.time() if now is None else now) - int(at)) > tolerance:
        raise WebhookError("the delivery is too old, or not yet")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{known['webhook-id']}.{at}.".encode() + raw
    given = [one.removeprefix("v1,") for one in known["webhook-signature"].split() if one.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else list(secret):
        wanted = base64.b64encode(hmac.new(_key_of(one), signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(wanted.encode(), signature.encode()) for signature in given):
            event = json.loads(raw)
            return _types.WEBHOOK_EVENTS.get(event.get("type"), _types.Record)(event)
    raise WebhookError("no signature of the delivery is by this secret")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookError("the secret must be whsec_ and base64")
    return key
