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

/// Keeps what the rules find, in a worker thread: of a state when it changes, across all states
/// every few seconds. Sees the same deltas as the window. What comes or goes is told only once it
/// has stayed so for a second, so that nothing flickers.
class FindingTracker final : public QObject
{
    Q_OBJECT

public:
    explicit FindingTracker(CheckSettings settings = {});

    /// All that are known, for others in its thread: as of the last apply().
    const HandleTable<KeptState>& states() const { return m_states; }

public slots:
    void start();
    void stop();
    void apply(const lk::DeltaPtr& delta);
    /// As INFO has it, with the server's time. What it shows itself; and a cluster has rules of its
    /// own.
    void setServer(const lk::ServerFacts& server);
    /// What the groups of servers show that are declared with this deployment: all of it.
    void setRedlock(const std::vector<lk::Finding>& findings);
    /// Judges all that is known anew.
    void setSettings(const lk::CheckSettings& settings);
    /// What is shown is of the past: its findings are those that were recorded, whatever the rules
    /// and thresholds of today would find. Before the delta of that moment.
    void setPast(const lk::PastFindings& findings);
    /// Since when findings were open, by findingIdentity(), when they were recorded last: what is
    /// found again goes on.
    void goOn(const QHash<QByteArray, qint64>& sinceMs);
    /// By a timer, once started. Tells what is there if anything is different.
    void everySecond();

signals:
    void reported(const lk::LiveFindingsPtr& findings);

private:
    struct Entry
    {
        LiveFindingPtr live;
        bool told = false;  ///< listed
        bool seen = true;   ///< at the last check
        quint8 seconds = 0; ///< for which seen differs from told
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
    std::unordered_map<Handle, Entries> m_own; ///< what one state shows
    Entries m_server;                          ///< what the server itself shows
    Entries m_redlock;                         ///< what groups of servers show
    std::vector<Finding> m_early;              ///< the same, while the time is not known yet
    QHash<QByteArray, Entry> m_across;         ///< what only several show; by code, name, key
    QSet<Handle> m_unconfirmed;                ///< of m_own: with entries told otherwise than seen
    std::set<LiveFindingPtr, WorstFirst> m_listed;
    QHash<Handle, std::array<quint16, 3>> m_counts; ///< by severity; not the silenced
    QHash<Handle, quint8> m_marks;                  ///< as in LiveFindings
    std::array<qint64, 3> m_bySeverity{};
    std::map<QByteArray, qint64> m_byCode;
    QSet<QString> m_texts;          ///< each text of a rule once, however many findings have it
    QSet<QByteArray> m_words;       ///< the same for codes and actions
    ServerFacts m_facts;            ///< as setServer() told last
    ScanCounts m_scan;              ///< as the last delta had it
    std::vector<Missing> m_missing; ///< with the primitives that could not be read
    QTimer m_second{this};
    std::optional<PastFindings> m_past;  ///< of the moment that is shown; empty: it is now
    QHash<QByteArray, Entry> m_ofPast;   ///< what that moment shows
    QHash<QByteArray, qint64> m_earlier; ///< as goOn() told, until they are found again
    qint64 m_earlierUntilMs = 0;         ///< for so long they are looked for
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
