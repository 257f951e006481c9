// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

// Reads facts about the owner from a lock's value. Libraries create their tokens in different ways:
// some contain the host, some the time when the lock was taken, and many identify the library.

/// The form of the owner's name that a library writes into a lock.
enum class OwnerForm : quint8 {
    Unknown,
    Uuid1Hex,     ///< redis-py: 32 hex digits of a UUID with the time and the network card
    Hex32,        ///< 16 random bytes in hex
    Uuid,         ///< a random UUID, with or without a suffix
    UuidAndCount, ///< a UUID and a number: a thread, a job
    AddedAtHost,  ///< ShedLock: "ADDED:<time>@<host>"
    MachinePid,   ///< DistributedLock for .NET: "<machine>_<pid>_<32 hex digits>"
    HostPid,      ///< "<host>:<pid>", possibly with a suffix
    Base64Of18,   ///< python-redis-lock: 24 characters without padding
    Base64Of16,   ///< redsync: 24 characters with padding
    Base64Url22,  ///< bsm/redislock: 22 characters without metadata
    Alnum16,      ///< Laravel's locks
    Alnum20,      ///< Laravel's funnel
};

/// The facts about the owner in its name. Empty fields are unknown.
struct OwnerInfo
{
    OwnerForm form = OwnerForm::Unknown;
    std::optional<qint64> takenMs; ///< when the lock was taken, by the owner's clock
    QByteArray host;
    QByteArray process; ///< its pid
    QByteArray client;  ///< the library's id of its connection or instance
    QByteArray thread;  ///< the thread or fiber of that client
    QByteArray mac; ///< address of the host's network card; random if the host does not expose it
    QByteArray metadata; ///< data that the program added
};

/// False if the value cannot have that form, judging by its length and beginning. Cheap enough to
/// call for every value.
bool mayBe(OwnerForm form, QByteArrayView value);

/// The facts about the owner from the value's bytes alone. nowMs: server time. Rejects forms whose
/// time would be in the future or years ago.
OwnerInfo ownerInfoOf(QByteArrayView value, qint64 nowMs);

/// The owner in a lock's value that is a JSON object, which may be cut. Empty if no field names
/// one.
QByteArray ownerInObject(QByteArrayView value);
/// True if such an object describes a lock: its owner, or when it was taken or ends.
bool tellsOfLock(QByteArrayView value);

/// The libraries that write such values: "redis-py". Empty if too many do.
QByteArray ownerLibraries(OwnerForm form);

/// The owner for people if that is easier to read than the value: a host, a process. Else empty.
QByteArray ownerLabel(const OwnerInfo& info);

/// Adds the facts as lines of a detail pane. They are inferred: the value only has that form.
void addOwnerFacts(State& state, const OwnerInfo& info);

} // namespace lk
