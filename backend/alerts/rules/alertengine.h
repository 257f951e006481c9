// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/rules/changewindow.h"
#include "backend/alerts/rules/condition.h"
#include "backend/alerts/rules/holdtimes.h"
#include "backend/findings/livefindings.h"

#include <QSet>

#include <set>
#include <unordered_map>

namespace lk {

/// Judges the rules of one deployment: what is given to it changes conditions, and advance() says
/// what has fired and what is resolved by then. Pure: no I/O and no clock; times are given, in
/// milliseconds of the server's clock. Its work follows what has changed.
class AlertEngine
{
public:
    /// So many alerts are open at most; further ones are counted.
    static constexpr size_t mostOpen = 5000;

    /// endpoint: what the server itself is called; also what tells the deployment from every other,
    /// until setDeployment().
    AlertEngine(QByteArray endpoint, const AlertSettings& settings);

    /// Part of the id of each alert from now on: the same by whichever node it is entered.
    void setDeployment(const QByteArray& deployment) { m_deployment = deployment; }

    /// Rules that stay keep what they know. Those that are new know nothing of the states: give
    /// them again.
    void setSettings(const AlertSettings& settings);
    /// What was open when another program, or this one, ended: it is not fired again.
    void restore(const std::vector<AlertPtr>& open);
    /// For how long locks were held before this program was started: what is usual for them. Give
    /// the states again.
    void restoreHolds(const std::vector<PastHolds>& holds);

    void apply(const Delta& delta, qint64 nowMs);
    void setFindings(const LiveFindings& findings, qint64 nowMs);
    /// All keys were read once: what was open before and is not seen any more is over.
    void setScanned(qint64 nowMs);
    void setServer(const ServerNumbers& numbers, qint64 nowMs);
    /// Nothing is known of the keys: what holds goes on to hold, and no time is counted.
    void setBlind(bool blind, qint64 nowMs);

    std::vector<AlertEvent> advance(qint64 nowMs);
    /// The next moment at which advance() has something to say, if nothing changes; 0: never.
    qint64 nextMs() const;

    std::vector<AlertPtr> open() const; ///< worst first, then the newest
    /// False: there is no such open alert, or somebody has it already.
    bool acknowledge(const QByteArray& id, const QString& by, qint64 nowMs);
    qint64 notKept() const { return m_notKept; }

private:
    enum class Phase : quint8 { Clear, Pending, Firing, Clearing };
    struct Subject
    {
        std::optional<Kind> kind;
        PrimitiveId primitive; ///< masked, as in Alert
        QByteArray name;
    };
    struct Entry
    {
        size_t rule = 0;
        Phase phase = Phase::Clear;
        bool met = false;
        bool restored = false; ///< open from before, and not judged since
        bool left = false;     ///< it would fire, and is one too many
        qint64 phaseMs = 0;    ///< when that began
        qint64 dueMs = 0;      ///< in the agenda; 0: not there
        double value = 0;
        QString text; ///< of a finding: its message
        Subject subject;
        StatePtr timed; ///< of a number that time alone changes
        qint64 usualHoldMs = 0;
        std::optional<ChangeWindow> window;
        AlertPtr alert; ///< while it is open
    };
    using Entries = std::unordered_map<QByteArray, Entry>;

    void judge(Handle handle, const StatePtr& state, qint64 nowMs);
    HoldTimes& holdsOf(Handle handle, const Primitive& lock);
    void forget(Handle handle, qint64 nowMs);
    void gone(const QByteArray& key, qint64 nowMs);
    void judgeMetric(size_t rule, const QByteArray& key, Subject subject,
                     const MetricReading& reading, qint64 nowMs);
    Entry& entryOf(size_t rule, const QByteArray& key, Subject subject);
    void setMet(const QByteArray& key, Entry& entry, bool met, qint64 nowMs);
    void schedule(const QByteArray& key, Entry& entry);
    void reread(Entry& entry, qint64 nowMs);
    bool judgeValue(Entry& entry, qint64 nowMs) const;
    std::optional<AlertEvent> step(const QByteArray& key, Entry& entry, qint64 nowMs);
    void drop(const QByteArray& key, Entry& entry);
    AlertPtr makeAlert(const QByteArray& key, const Entry& entry, qint64 nowMs) const;
    QString textOf(const Entry& entry) const;
    QByteArray keyOf(size_t rule, const QByteArray& layout, const QByteArray& name) const;
    const AlertRule& ruleOf(const Entry& entry) const { return m_rules[entry.rule]; }
    bool staysRestored(const Entry& entry, qint64 nowMs) const;
    void syncClock(qint64& nowMs);
    void shiftBack(qint64 byMs);

    QByteArray m_endpoint;
    QByteArray m_deployment;
    std::vector<AlertRule> m_rules;
    std::array<std::vector<size_t>, allKinds.size()> m_byKind; ///< metric rules
    std::vector<size_t> m_ofServer;
    std::unordered_map<QByteArray, std::vector<size_t>> m_byCode;
    HandleTable<PrimitivePtr> m_known;
    HandleTable<HoldTimes> m_holds;
    std::unordered_map<QByteArray, HoldTimes> m_pastHolds; ///< of locks that are not there now
    Entries m_entries;
    std::set<std::pair<qint64, QByteArray>> m_agenda;
    std::vector<AlertEvent> m_ended; ///< of rules that are no more
    std::optional<qint64> m_blindMs; ///< since when
    QSet<QByteArray> m_open;         ///< entries with an alert
    QSet<QByteArray> m_found;        ///< entries of findings that are there
    qint64 m_notKept = 0;
    qint64 m_nowMs = 0; ///< the latest that was given
    bool m_usesHolds = false;
    bool m_scanned = false;
};

} // namespace lk
