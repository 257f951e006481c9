// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 at any moment loses no more than the last two seconds: told by the times in the rows
// against what the process had been told, whatever a busy machine makes of its timers.
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <csignal>
#include <cstdio>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 stepMs = 20;
constexpr qint64 mostLostMs = 2000;
const PrimitiveId queueId{"reliable-list", "jobs"};

/// The process to be killed: it records a number each 20 ms and prints the ones it has handed over.
/// Its clock advances with each of them, so that time stands still while the machine is busy. The
/// writer works by its own timer.
class Writing final : public QObject
{
public:
    Writing(const QString& path, qint64 startMs)
        : m_clock(startMs)
        , m_writer({path, {}, &m_clock})
    {
        m_writer.begin(shop, startMs);
        m_writer.start();
        m_step.setInterval(int(stepMs));
        connect(&m_step, &QTimer::timeout, this, &Writing::step);
        m_step.start();
    }

private:
    void step()
    {
        m_clock.advance(stepMs);
        ++m_number;
        auto batch = std::make_shared<RecordBatch>();
        batch->deployment = shop.key;
        batch->atMs = m_clock.nowMs();
        State queue = queueState({}, batch->atMs, quint64(m_number));
        batch->states.push_back({queue.primitive, queue.asOfMs, shared(queue)});
        batch->samples.push_back({queueId, "ready", batch->atMs, double(m_number)});
        RecordedEvent event;
        event.type = EventType::Action;
        event.tMs = batch->atMs;
        batch->events.push_back(event);
        m_writer.add(batch);
        std::printf("%lld\n", static_cast<long long>(m_clock.nowMs()));
        std::fflush(stdout);
    }

    ManualClock m_clock;
    RecordWriter m_writer;
    QTimer m_step;
    int m_number = 0;
};

} // namespace

class TestRecordKill : public QObject
{
    Q_OBJECT

private slots:
    void nothingOlderThanTwoSecondsIsLost();
};

void TestRecordKill::nothingOlderThanTwoSecondsIsLost()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.db"));
    qint64 startMs = Recording::startMs;
    // LOCKKEEPER_KILLS=100: as many as it takes to meet every moment of a write.
    const int kills = std::max(8, qEnvironmentVariableIntValue("LOCKKEEPER_KILLS"));
    for (int round = 0; round < kills; ++round) {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("tst_recordkill"), QStringLiteral("--write"), path,
                       QString::number(startMs)});
        QVERIFY(process.waitForStarted());
        QByteArray told;
        const int steps = 110 + round * 37 % 60; // at another moment between two writes each time
        while (told.count('\n') < steps) {
            QVERIFY(process.waitForReadyRead(60'000));
            told += process.readAll();
        }
        QCOMPARE(::kill(pid_t(process.processId()), SIGKILL), 0);
        QVERIFY(process.waitForFinished(60'000));
        told += process.readAll();
        told.truncate(told.lastIndexOf('\n'));
        const qint64 toldMs = told.mid(told.lastIndexOf('\n') + 1).toLongLong();
        QVERIFY(toldMs > startMs);

        RecordQueries queries(path);
        QVERIFY(queries.open());
        const auto last = queries.previousEvent(shop.key, toldMs + 1, {});
        QVERIFY(last);
        QVERIFY2(last->tMs >= toldMs - mostLostMs,
                 QByteArray::number(toldMs - last->tMs).constData());
        // The remaining records are complete, and their states and numbers are of the same moment.
        const StatePtr state = queries.stateAt({shop.key, queueId}, last->tMs);
        QVERIFY(state);
        QCOMPARE(state->asOfMs, last->tMs);
        const auto series =
            queries.series({shop.key, queueId}, "ready", last->tMs - 1000, last->tMs, 1000);
        QVERIFY(!series.points.empty());
        QCOMPARE(series.points.back().last, double(*state->as<QueueState>()->ready));
        // None is missing in between.
        const auto events = queries.events(
            {.deployment = shop.key, .fromMs = startMs, .types = {EventType::Action}});
        QCOMPARE(qint64(events.size()), (last->tMs - startMs) / stepMs);
        startMs = toldMs + 10'000;
    }
}

static int runOrWrite(int argc, char** argv)
{
    if (argc != 4 || QLatin1String(argv[1]) != QLatin1String("--write"))
        return runTest<QCoreApplication, TestRecordKill>(argc, argv);
    const QCoreApplication app(argc, argv);
    const Writing writing(QString::fromLocal8Bit(argv[2]), QByteArray(argv[3]).toLongLong());
    return QCoreApplication::exec();
}

LK_TEST_RUN(runOrWrite);
#include "tst_recordkill.moc"
