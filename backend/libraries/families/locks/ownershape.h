// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

// What the value of a lock tells of who holds it. Libraries make their tokens in ways of their own:
// some name the host, some when the lock was taken, and many at least themselves.

/// By what rule a library makes up the owner's name of a lock.
enum class OwnerForm : quint8 {
    Unknown,
    Uuid1Hex,     ///< redis-py: 32 hex digits of a UUID that has the time and the network card
    Hex32,        ///< 16 random bytes in hex
    Uuid,         ///< a random UUID, with a suffix or not
    UuidAndCount, ///< a UUID and a number: a thread, a job
    AddedAtHost,  ///< ShedLock: "ADDED:<time>@<host>"
    MachinePid,   ///< DistributedLock for .NET: "<machine>_<pid>_<32 hex digits>"
    HostPid,      ///< "<host>:<pid>", with more behind it or not
    Base64Of18,   ///< python-redis-lock: 24 characters without padding
    Base64Of16,   ///< redsync: 24 characters with padding
    Base64Url22,  ///< bsm/redislock: 22 characters, and metadata behind them
    Alnum16,      ///< Laravel's locks
    Alnum20,      ///< Laravel's funnel
};

/// What an owner's name tells of who took the lock. Empty: it does not tell.
struct OwnerInfo
{
    OwnerForm form = OwnerForm::Unknown;
    std::optional<qint64> takenMs; ///< when the lock was taken, by the clock of who took it
    QByteArray host;
    QByteArray process;  ///< its pid
    QByteArray client;   ///< the library's id of its connection or instance
    QByteArray thread;   ///< the thread or fiber of that client
    QByteArray mac;      ///< of the host's network card; random where it shows none
    QByteArray metadata; ///< what the program itself put there
};

/// False: the value cannot have that form, by its length and its beginning. Cheap, for those who
/// ask of every value there is.
bool mayBe(OwnerForm form, QByteArrayView value);

/// What the value tells, by its bytes alone. nowMs: server time; what would have been taken in the
/// future, or years ago, is not what it looks like.
OwnerInfo ownerInfoOf(QByteArrayView value, qint64 nowMs);

/// The owner in a lock's value that is a JSON object, as far as the text goes; empty: no field
/// names one.
QByteArray ownerInObject(QByteArrayView value);
/// Whether such an object tells of a lock: who holds it, or since when or until when it is held.
bool tellsOfLock(QByteArrayView value);

/// Which libraries write such values: "redis-py"; empty where too many do.
QByteArray ownerLibraries(OwnerForm form);

/// The owner for people where that is easier to read than the value: a host, a process; else empty.
QByteArray ownerLabel(const OwnerInfo& info);

/// The same as lines of a detail pane. Each is inferred: the value only looks like it.
void addOwnerFacts(State& state, const OwnerInfo& info);

} // namespace lk
