// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "backend/findings/settings.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <set>
#include <unordered_map>

namespace lk {

/// Keeps the current findings, in a worker thread. Judges a state when it changes, and across all
/// states every few seconds. Receives the same deltas as the window. Reports that a finding appears
/// or disappears only after it has lasted for a second, to avoid flicker.
class FindingTracker final : public QObject
{
    Q_OBJECT

public:
    explicit FindingTracker(CheckSettings settings = {});

    /// All known states as of the last apply(), for other objects in its thread.
    const HandleTable<KeptState>& states() const { return m_states; }

public slots:
    void start();
    void stop();
    void apply(const lk::DeltaPtr& delta);
    /// Sets the facts from INFO, with the server's time. The rules for the server itself and for a
    /// cluster use them.
    void setServer(const lk::ServerFacts& server);
    /// Replaces all findings of the groups of servers that are declared with this deployment.
    void setRedlock(const std::vector<lk::Finding>& findings);
    /// Sets the settings and judges all known states again.
    void setSettings(const lk::CheckSettings& settings);
    /// Shows the recorded findings of a past moment, independent of today's rules and thresholds.
    /// Call it before the delta of that moment.
    void setPast(const lk::PastFindings& findings);
    /// Sets the start times of the findings that were open in the last recording, by
    /// findingIdentity(). A finding that is found again keeps its start time.
    void goOn(const QHash<QByteArray, qint64>& sinceMs);
    /// Called by a timer after start(). Emits reported() if anything has changed.
    void everySecond();

signals:
    void reported(const lk::LiveFindingsPtr& findings);

private:
    struct Entry
    {
        LiveFindingPtr live;
        bool told = false;  ///< listed
        bool seen = true;   ///< found at the last check
        quint8 seconds = 0; ///< how long seen differs from told
    };
    using Entries = std::vector<Entry>;
    struct WorstFirst
    {
        bool operator()(const LiveFindingPtr& a, const LiveFindingPtr& b) const;
    };

    void judge(Handle handle, const StatePtr& state);
    void update(Entries& entries, std::vector<Finding> found, Handle handle, Kind kind);
    void checkAcross();
    void addAcross(const QHash<QByteArray, Finding>& found);
    void refresh(Entry& entry, const Finding* now);
    void refreshSilence(Entry& entry);
    void showPast();
    void showPast(Entry& entry, const PastFinding& now);
    void refreshAge(Entry& entry);
    qint64 sinceMsOf(const Finding& finding, Kind kind);
    template<typename Function> void forEach(Function function);
    void replace(Entry& entry, LiveFindingPtr by);
    bool confirm(Entry& entry);
    void list(Entry& entry);
    void unlist(Entry& entry);
    void count(const LiveFinding& live, int sign);
    std::optional<Kind> kindOf(const Finding& finding) const;
    std::shared_ptr<LiveFinding> makeGroup(const Finding& finding, std::optional<Kind> kind);
    std::shared_ptr<LiveFinding> makeLive(Finding finding, Handle handle, Kind kind);
    LiveFindingsPtr report() const;

    CheckSettings m_settings;
    HandleTable<KeptState> m_states;
    std::unordered_map<Handle, Entries> m_own; ///< findings of single states
    Entries m_server;                          ///< findings of the server itself
    Entries m_redlock;                         ///< findings of groups of servers
    std::vector<Finding> m_early;              ///< for m_redlock, while the time is not known
    QHash<QByteArray, Entry> m_across;         ///< findings across states; by code, name, key
    QSet<Handle> m_unconfirmed; ///< in m_own: those with entries where told differs from seen
    std::set<LiveFindingPtr, WorstFirst> m_listed;
    QHash<Handle, std::array<quint16, 3>> m_counts; ///< by severity, without silenced ones
    QHash<Handle, quint8> m_marks;                  ///< see LiveFindings::marks
    std::array<qint64, 3> m_bySeverity{};
    std::map<QByteArray, qint64> m_byCode;
    QSet<QString> m_texts;          ///< shared texts of the rules
    QSet<QByteArray> m_words;       ///< shared codes and actions
    ServerFacts m_facts;            ///< from the last setServer()
    ScanCounts m_scan;              ///< from the last delta
    std::vector<Missing> m_missing; ///< includes the primitives that could not be read
    QTimer m_second{this};
    std::optional<PastFindings> m_past;  ///< the past moment that is shown; empty: the present
    QHash<QByteArray, Entry> m_ofPast;   ///< that moment's findings
    QHash<QByteArray, qint64> m_earlier; ///< from goOn(), until they are found again
    qint64 m_earlierUntilMs = 0;         ///< when m_earlier expires
    qint64 m_silenced = 0;
    qint64 m_checked = 0;
    qint64 m_atMs = 0;
    quint64 m_lastId = 0;
    int m_acrossIn = 0; ///< seconds
    bool m_acrossStale = false;
    bool m_acrossUnconfirmed = false;
    bool m_changed = true; ///< since the last report
};

} // namespace lk
