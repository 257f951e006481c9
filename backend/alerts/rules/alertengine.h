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

/// Judges the rules of one deployment. New data changes conditions, and advance() returns the
/// alerts that have fired or are resolved by then. Pure: no I/O and no clock; the caller passes
/// times, in milliseconds of the server's clock. Its cost depends only on the changes.
class AlertEngine
{
public:
    /// The limit of open alerts; further ones are only counted.
    static constexpr size_t mostOpen = 5000;

    /// endpoint: the name of the server itself; also the unique id of the deployment, until
    /// setDeployment().
    AlertEngine(QByteArray endpoint, const AlertSettings& settings);

    /// Sets the deployment's part in the ids of new alerts. It is the same through whichever node
    /// the deployment is entered.
    void setDeployment(const QByteArray& deployment) { m_deployment = deployment; }

    /// Sets the rules. Unchanged rules keep their data. New rules know no states: the caller passes
    /// all states again.
    void setSettings(const AlertSettings& settings);
    /// Restores the alerts that were open when another program, or this one, ended. They do not
    /// fire again.
    void restore(const std::vector<AlertPtr>& open);
    /// Sets how long locks were held before this program was started, from which their usual time
    /// follows. The caller passes all states again.
    void restoreHolds(const std::vector<PastHolds>& holds);

    void apply(const Delta& delta, qint64 nowMs);
    void setFindings(const LiveFindings& findings, qint64 nowMs);
    /// All keys were read once: the conditions of restored alerts that were not seen no longer
    /// hold.
    void setScanned(qint64 nowMs);
    void setServer(const ServerNumbers& numbers, qint64 nowMs);
    /// While blind, nothing is known of the keys: conditions keep their state, and no time counts.
    void setBlind(bool blind, qint64 nowMs);

    std::vector<AlertEvent> advance(qint64 nowMs);
    /// Returns the next moment at which advance() returns events if nothing changes; 0 if never.
    qint64 nextMs() const;

    std::vector<AlertPtr> open() const; ///< worst first, then the newest
    /// False if there is no such open alert, or if it is acknowledged already.
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
        bool restored = false; ///< restored as open, and not judged since
        bool left = false;     ///< not fired because of mostOpen
        qint64 phaseMs = 0;    ///< when the phase began
        qint64 dueMs = 0;      ///< its time in the agenda; 0 if not in it
        double value = 0;
        QString text; ///< a finding's message
        Subject subject;
        StatePtr timed; ///< set if time alone changes the number
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
    std::unordered_map<QByteArray, HoldTimes> m_pastHolds; ///< locks that do not exist now
    Entries m_entries;
    std::set<std::pair<qint64, QByteArray>> m_agenda;
    std::vector<AlertEvent> m_ended; ///< alerts of removed rules
    std::optional<qint64> m_blindMs; ///< since when it is blind
    QSet<QByteArray> m_open;         ///< entries with an alert
    QSet<QByteArray> m_found;        ///< entries of current findings
    qint64 m_notKept = 0;
    qint64 m_nowMs = 0; ///< the latest time passed in
    bool m_usesHolds = false;
    bool m_scanned = false;
};

} // namespace lk
