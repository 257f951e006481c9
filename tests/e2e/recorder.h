// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "tests/e2e/ownwarnings.h"

#include <QProcess>
#include <QTest>

#include <csignal>

namespace lk::test {

inline constexpr int patienceMs = 60'000;

/// `lockkeeper record` as long as this lives.
class Recorder final
{
public:
    explicit Recorder(const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        nameWarnings(environment);
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(LOCKKEEPER_PROGRAM),
                        QStringList{QStringLiteral("record")} + arguments);
    }
    ~Recorder()
    {
        kill();
        m_told += m_process.readAll();
        failOnWarnings(m_told);
    }

    bool waitFor(const QByteArray& text, int times = 1)
    {
        return QTest::qWaitFor(
            [&] {
                m_told += m_process.readAll();
                return m_told.count(text) >= times;
            },
            patienceMs);
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished(patienceMs);
    }
    void signal(int number) { ::kill(pid_t(m_process.processId()), number); }
    int end()
    {
        m_process.waitForFinished(patienceMs);
        m_told += m_process.readAll();
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    const QByteArray& told() const { return m_told; }

private:
    QProcess m_process;
    QByteArray m_told;
};

/// True if that file contains a held lock of the deployment.
inline bool isRecordedAsHeld(const QByteArray& owner, const QByteArray& deployment,
                             const QString& file)
{
    RecordQueries queries(file);
    if (!queries.open())
        return false;
    for (const RecordedHold& hold : queries.openHolds(deployment)) {
        if (hold.owner == owner)
            return true;
    }
    return false;
}

} // namespace lk::test
