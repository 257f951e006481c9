// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/redis/connection.h"
#include "backend/redis/redlock/redlock.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <set>

namespace lk {

/// Reads the locks of one group, once or repeatedly: finds their names on every server (SCAN, in
/// small slices, never two at a time) and asks each server for each name. If a server fails, the
/// others go on. The next read does not wait for a server that did not answer. Only reads. Lives in
/// the thread of its first read.
class RedlockReader final : public QObject
{
    Q_OBJECT

public:
    /// The timeout per server, and the limits of a read.
    struct Options
    {
        int timeoutMs = 5000;
        bool stays = false; ///< reconnect after a loss, for repeated reads
        int slices = 0;     ///< SCANs per server and read() at most; the next goes on; 0: no limit
        size_t mostNames = 10'000;
    };

    /// The clock outlives this.
    RedlockReader(RedlockGroup group, Options options, const Clock& clock);
    ~RedlockReader() override;

    /// Does nothing while a read is under way.
    void read();
    /// Reads at once and then repeatedly, with that pause between two reads of few locks. The pause
    /// is longer with many locks, and shorter once after a new hazard.
    void repeat(int intervalMs);

    const RedlockGroup& group() const { return m_group; }
    /// The locks, sorted by name. A name that no server has any more is reported free once and then
    /// forgotten. Null before the first read.
    const RedlockReportPtr& report() const { return m_report; }

signals:
    /// lasting: the findings that the previous report also had.
    void finished(const lk::RedlockReportPtr& report, const std::vector<lk::Finding>& lasting);

private:
    struct Server;

    void open();
    void forgetFree();
    void begin(Server& server);
    void onStatus(Server& server, const ConnectionStatus& status);
    void ask(Server& server);
    void takeFacts(Server& server, qint64 sentMs, const BatchResult& result);
    void scan(Server& server);
    void takeNames(Server& server, const BatchResult& result);
    void fail(Server& server, const Error& error);
    void endPart();
    void readAll();
    void readFrom(Server& server, size_t from);
    void takeVotes(Server& server, size_t from, const BatchResult& result);
    void readHashes(Server& server, size_t from, std::vector<size_t> hashes);
    void readNext(Server& server, size_t from);
    void publish();
    int pauseMs() const;

    const RedlockGroup m_group;
    const Options m_options;
    const Clock& m_clock;
    std::vector<std::unique_ptr<Server>> m_servers; ///< empty before the first read
    std::set<QByteArray> m_names;
    std::vector<QByteArray> m_ordered; ///< the names, once all are known
    RedlockReportPtr m_report;
    QTimer m_pause;
    int m_intervalMs = 0;   ///< 0: is not repeated
    bool m_isSure = true;   ///< all findings of the report have lasted
    size_t m_busy = 0;      ///< servers that have not finished this part; 0: no read is under way
    bool m_reading = false; ///< in the second part, which reads the names' contents
    bool m_cut = false;
};

/// Checks groups of servers once, side by side. Only reads. Lives in the thread that made it.
class RedlockCheck final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockCheck(const std::vector<RedlockGroup>& groups, int timeoutMs, const Clock& clock);

    /// Reads each group, and a second time after a moment if hazards that may pass are to be left
    /// out and the first report has some. Call it once. Finishes at once without groups.
    void start(bool leavesOutPassing);

    // After finished(), for each group in their order:
    const std::vector<RedlockReportPtr>& reports() const { return m_reports; }
    const std::vector<Finding>& findings() const { return m_findings; } ///< those that have lasted

signals:
    void finished();

private:
    std::vector<std::unique_ptr<RedlockReader>> m_readers;
    std::vector<RedlockReportPtr> m_reports;
    std::vector<Finding> m_findings;
    size_t m_underWay = 0;
};

} // namespace lk
