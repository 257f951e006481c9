// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lk {

/// Why a server may refuse writes, by what INFO tells of its disk.
enum class DiskError : quint8 { None, Snapshot, AppendOnlyFile };

/// When what is appended reaches the disk: the setting appendfsync.
enum class FsyncPolicy : quint8 { Unknown, Always, EverySecond, Never };
FsyncPolicy fsyncPolicyOf(const QString& appendfsync);

/// Which keys a server drops when its memory is full: the setting maxmemory-policy.
enum class Evicts : quint8 { Unknown, Nothing, KeysWithTtl, AnyKey };
Evicts evictsOf(const QString& maxmemoryPolicy);

/// How a server keeps its data through a restart, and what it drops when its memory is full, as
/// INFO and CONFIG tell. Empty: it does not tell, or this user may not ask.
struct Durability
{
    std::optional<bool> appendOnly;       ///< an append-only file is written
    QString fsync;                        ///< appendfsync, as the server has it
    std::optional<bool> snapshots;        ///< are taken by themselves
    std::optional<qint64> lastSnapshotMs; ///< server time
    std::optional<qint64> unsaved;        ///< changes since
    DiskError diskError = DiskError::None;
    QString failure;                 ///< with diskError: as the server has it, "err"
    QString eviction;                ///< maxmemory-policy, as the server has it
    std::optional<qint64> maxMemory; ///< bytes; 0: no limit

    bool operator==(const Durability&) const = default;
};

} // namespace lk
