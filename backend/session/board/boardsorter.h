// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/namefilter.h"
#include "backend/core/workpace.h"
#include "backend/findings/settings.h"
#include "backend/session/board/boardgroups.h"
#include "backend/session/board/roworder.h"
#include "backend/session/board/runningsummary.h"
#include "backend/text/time/ttlfilter.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace lk {

/// Filters, sorts and sums up the primitives in a worker thread, so that the window only touches
/// the rows that it shows. Receives the same deltas as the window, in the same order. A change
/// moves only its own row. Work that goes through all primitives may use a twentieth of the time.
class BoardSorter final : public QObject, private RowStates
{
    Q_OBJECT

public:
    /// check: what counts as a hazard in the overview, as everywhere else.
    explicit BoardSorter(CheckSettings check = {});

public slots:
    void start();
    void stop();
    void apply(const lk::DeltaPtr& delta);
    /// Sets the server's time, which also passes while nothing changes.
    void setNow(qint64 serverNowMs);
    void setCheck(const lk::CheckSettings& check);
    /// Notes that all keys were read once.
    void setScanned();
    /// Arranges at once, and again at most once a second while things change. Does not wait before
    /// it publishes the first rows.
    void setQuery(const lk::BoardQuery& query);
    /// While frozen the order of the rows stays as it is: a menu or a dialog is open.
    void setFrozen(bool frozen);
    /// Called by a timer after start(). Arranges and sums up the changes, as far as that is due.
    void everySecond();

signals:
    void sorted(const lk::BoardRows& rows);
    void summarized(const lk::SummaryPtr& summary);

private:
    struct Entry
    {
        KeptState state;
        Kind kind = Kind::Limiter;    ///< the state's kind, known without unpacking it
        Health health = Health::Idle; ///< the state's health, likewise
        quint8 set = 0;               ///< index in m_sets
        bool ended = false;           ///< a token whose end was seen and counted
        bool fits = false;            ///< it is counted in m_fitting and m_fittingSets
        quint8 fitsBy = 0;            ///< its index in m_fittingSets
    };

    void count(const Entry& entry, int sign);
    /// Counts primitives with the same label; only queues have labels.
    void countLabel(const Primitive& primitive, int sign);
    void countEnds(Entry& entry, const StatePtr& before, const StatePtr& now);
    quint8 setIndex(const RowSet& set);
    void touch(Handle handle);
    bool staysInPlace(const Entry& entry, const State& before, const State& now) const;
    void arrange();
    void sortAll();
    void sortChanged();
    bool takesIn(Entry& entry);
    void dropFitting(Entry& entry);
    void publish();
    bool fits(const Entry& entry);
    bool fitsText(const Primitive& primitive);
    const KeptState& kept(Handle handle) const override { return m_entries.find(handle)->state; }
    std::vector<SetCount> setsOf(Kind kind) const;
    SummaryPtr summary();
    std::vector<SummaryItem> itemsOf(const std::vector<Handle>& handles) const;
    QString reasonFor(const State& state) const;

    CheckSettings m_check;
    HandleTable<Entry> m_entries;
    std::vector<RowSet> m_sets;
    QHash<RowSet, quint8> m_setIndex;
    using HealthCounts = std::array<qint64, 4>;                         ///< index: Health
    std::array<std::vector<HealthCounts>, allKinds.size()> m_setCounts; ///< by index in m_sets
    std::array<HealthCounts, allKinds.size()> m_healthCounts{};
    std::array<qint64, allKinds.size()> m_totals{};
    QHash<QByteArray, qint64> m_labels;
    QSet<QByteArray> m_sharedLabels; ///< labels that several queues have
    TokenEnds m_ends{};
    RunningSummary m_running;
    qint64 m_atMs = 0;
    BoardQuery m_query;
    BoardGroups m_groups;
    RowOrder m_order;
    std::vector<Handle> m_touched;     ///< rows that may have changed since the last arrangement
    std::vector<bool> m_touchedPlaces; ///< the same by place
    bool m_allTouched = true;
    std::array<qint64, 256> m_fittingSets{}; ///< rows that fit the text, by set
    qint64 m_fitting = 0;
    WorkPace m_sortPace;
    WorkPace m_namesPace;
    WorkPace m_summaryPace;
    NameFilter m_names; ///< these two: the parsed filter of the query
    TtlFilter m_ttl;
    quint8 m_wanted = 0;     ///< the query's set, while rows are taken in
    QByteArray m_lastLayout; ///< these two: neighbours often share one
    bool m_lastLayoutFits = false;
    QTimer m_second{this};
    bool m_hasQuery = false;
    bool m_hadRows = false; ///< some were published
    bool m_stale = false;
    bool m_summaryStale = true;
    bool m_scanned = false;
    bool m_frozen = false;
};

} // namespace lk
