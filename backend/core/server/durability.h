// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lk {

/// The disk error that INFO reports, for which a server may refuse writes.
enum class DiskError : quint8 { None, Snapshot, AppendOnlyFile };

/// When appended data reaches the disk: the setting appendfsync.
enum class FsyncPolicy : quint8 { Unknown, Always, EverySecond, Never };
FsyncPolicy fsyncPolicyOf(const QString& appendfsync);

/// Which keys a server drops when its memory is full: the setting maxmemory-policy.
enum class Evicts : quint8 { Unknown, Nothing, KeysWithTtl, AnyKey };
Evicts evictsOf(const QString& maxmemoryPolicy);

/// How a server preserves its data across restarts, and which keys it evicts when memory is full,
/// from INFO and CONFIG. Empty: not reported, or denied to this user.
struct Durability
{
    std::optional<bool> appendOnly;       ///< an append-only file is written
    QString fsync;                        ///< appendfsync, as the server reports it
    std::optional<bool> snapshots;        ///< snapshots are taken automatically
    std::optional<qint64> lastSnapshotMs; ///< server time
    std::optional<qint64> unsaved;        ///< changes since the last snapshot
    DiskError diskError = DiskError::None;
    QString failure;                 ///< with diskError: the server's status, "err"
    QString eviction;                ///< maxmemory-policy, as the server reports it
    std::optional<qint64> maxMemory; ///< bytes; 0: no limit

    bool operator==(const Durability&) const = default;
};

} // namespace lk
