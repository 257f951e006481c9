// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/snapshot/scanprogress.h"
#include "backend/config/config.h"
#include "backend/core/snapshot.h"
#include "backend/report/snapshot/snapshottaker.h"

#include <QObject>

#include <memory>

namespace lk {

/// Finds the primitive that a command names. That name is asked for first: a few keys. Only where
/// no name leads to all of its keys, or to none, are the keys scanned, with progress on a terminal.
class TargetSearch final : public QObject
{
    Q_OBJECT

public:
    /// action: "lock.release"; its kind is looked for, with "key.delete" any kind. pace: the
    /// scan's, as in SnapshotScope. The clock outlives this.
    TargetSearch(const ServerUrl& url, const Config& config, const Clock& clock, QByteArray action,
                 QByteArray name, std::optional<ScanPace> pace, QObject* parent = nullptr);
    ~TargetSearch() override;

    void start();

signals:
    void found(const lk::PrimitivePtr& primitive);
    /// No layout knows it.
    void nothing();
    /// Also if the name is ambiguous.
    void failed(const lk::Error& error);

private:
    using Step = void (TargetSearch::*)(const Snapshot&);

    void take(SnapshotScope scope, Step step);
    void onNamed(const Snapshot& snapshot);
    bool isPossibleToken(const Snapshot& snapshot) const;
    void onScanned(const Snapshot& snapshot);
    void scan(const QByteArray& name, std::function<bool(const QByteArray&)> wanted);
    /// Null if there is none. Empty if there are several, which failed() reports.
    std::optional<PrimitivePtr> meantIn(const Snapshot& snapshot);

    ServerUrl m_url;
    Config m_config;
    const Clock& m_clock;
    QByteArray m_action;
    QByteArray m_name;
    std::optional<ScanPace> m_pace;
    std::unique_ptr<SnapshotTaker> m_taker;
    ScanProgress m_progress;
};

} // namespace lk
