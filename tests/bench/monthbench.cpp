// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/monthbench.h"

#include "backend/history/recordqueries.h"
#include "backend/history/recordwriter.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

namespace lk::bench {

namespace {

constexpr qint64 startMs = 1'700'000'000'000;
constexpr int days = 30;
constexpr int neighbours = 128; // as many as share a block
constexpr int maxPoints = 2000; // what a wide chart draws

PrimitivePtr queueOf(int i)
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = Kind::Queue;
    primitive->id = {"reliable-list", "queue:" + QByteArray::number(i)};
    primitive->keys = {{"main", primitive->id.name}};
    return primitive;
}

// Each of them changes each minute.
void record(RecordWriter& writer, ManualClock& clock)
{
    const RecordedDeployment deployment{"redis:bench:6379/0", {}, QStringLiteral("bench")};
    writer.begin(deployment, clock.nowMs());
    std::vector<PrimitivePtr> all;
    for (int i = 0; i < neighbours; ++i)
        all.push_back(queueOf(i));
    quint32 noise = 1;
    for (int minute = 0; minute < days * 24 * 60; ++minute) {
        clock.advance(60'000);
        auto batch = std::make_shared<RecordBatch>();
        batch->deployment = deployment.key;
        batch->atMs = clock.nowMs();
        for (const PrimitivePtr& primitive : all) {
            noise = noise * 1664525U + 1013904223U;
            if (minute == 0) {
                auto state = std::make_shared<State>();
                state->primitive = primitive;
                state->asOfMs = clock.nowMs();
                state->body = QueueState();
                batch->states.push_back({primitive, clock.nowMs(), state});
            }
            batch->samples.push_back(
                {primitive->id, "ready", clock.nowMs(), double((noise >> 8) % 500)});
        }
        writer.add(batch);
        writer.flush();
        if (minute % 60 == 59)
            writer.ageAll();
    }
}

} // namespace

void measureMonth(Report& report)
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.db"));
    ManualClock clock(startMs);
    RecordWriter writer({path, {}, &clock});
    record(writer, clock);
    RecordQueries queries(path);
    if (!queries.open())
        return;
    const auto ask = [&](int i, qint64 fromMs, qint64 toMs) {
        QElapsedTimer timer;
        timer.start();
        queries.series({"redis:bench:6379/0", queueOf(i)->id}, "ready", fromMs, toMs, maxPoints);
        return double(timer.nsecsElapsed()) / 1e6;
    };
    std::vector<double> months;
    std::vector<double> pans;
    for (int i = 0; i < 20; ++i)
        months.push_back(ask(i, startMs, clock.nowMs()));
    // A day on screen, moved by a quarter of an hour at a time.
    for (int i = 0; i < 200; ++i) {
        const qint64 fromMs = startMs + 3 * Retention::day + i * 15 * Retention::minute;
        pans.push_back(ask(7, fromMs, fromMs + Retention::day));
    }
    const auto row = [&](const char* name, const std::vector<double>& values) {
        report.row(QLatin1String(name), QStringLiteral("ms"),
                   {{QStringLiteral("median"), median(values)},
                    {QStringLiteral("p95"), percentile(values, 0.95)},
                    {QStringLiteral("slowest"), percentile(values, 1)}});
    };
    row("opening a month of a chart", months);
    row("a day of a chart, while panning", pans);
    report.row(QStringLiteral("a month of %1 numbers, one a minute").arg(neighbours), QString(),
               {{QStringLiteral("MB on disk"), double(QFileInfo(path).size()) / 1e6}});
    report.atMost(QStringLiteral("opening a month"), percentile(months, 0.95), 250,
                  QStringLiteral("ms"));
    // Answered beside the window, which draws what it has: a few frames later is soon enough.
    report.atMost(QStringLiteral("a day while panning"), percentile(pans, 0.95), 50,
                  QStringLiteral("ms"));
}

} // namespace lk::bench
