"""Answers as objects whose members are attributes."""

from __future__ import annotations

import json
import keyword
import re
from typing import Any, ClassVar, Dict, Iterator, Mapping, Optional, Type, TypeVar

R = TypeVar("R", bound="Record")


class Record:
    """An object of an answer: `page.markdown`, or `page["markdown"]`.

    A declared member that is absent is None; one of a later version of the service can be read, too. A member whose
    name is a word of Python has `_` behind it, and one that begins with a digit before it: `period.from_`.
    """

    #: The classes of members that are records, or lists of them.
    _records: ClassVar[Dict[str, Any]] = {}

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.__dict__["_data"] = dict(data)

    def __getattr__(self, name: str) -> Any:
        data: Dict[str, Any] = self.__dict__["_data"]
        key = name if name in data else next((one for one in data if python_name(one) == name), None)
        if key is not None:
            return _wrap(data[key], self._class_of(key))
        if name.startswith("__") or not any(name in vars(one).get("__annotations__", {}) for one in type(self).__mro__):
            raise AttributeError(f"{type(self).__name__} has no member {name}")
        return None

    def __getitem__(self, name: str) -> Any:
        return _wrap(self.__dict__["_data"][name], self._class_of(name))

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__["_data"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["_data"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({json.dumps(self.to_dict(), ensure_ascii=False)[:200]})"

    def to_dict(self) -> Dict[str, Any]:
        """The members as plain dicts and lists, as the service sent them."""
        return self.__dict__["_data"]

    @classmethod
    def _class_of(cls, name: str) -> "Optional[Type[Record]]":
        for one in cls.__mro__:
            found = vars(one).get("_records", {}).get(name)
            if found is not None:
                return found() if callable(found) and not isinstance(found, type) else found
        return None


def python_name(name: str) -> str:
    """The name of a member as an attribute."""
    word = re.sub(r"^(?=\d)", "_", re.sub(r"\W", "_", name))
    return f"{word}_" if keyword.iskeyword(word) else word


def _wrap(value: Any, kind: Optional[Type[Record]]) -> Any:
    if isinstance(value, list):
        return [_wrap(one, kind) for one in value] if kind is not None else value
    return kind(value) if kind is not None and isinstance(value, dict) else value
