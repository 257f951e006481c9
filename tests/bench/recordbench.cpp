// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs: 100,000 primitives of which 5 % change each second, at a fiftieth of that,
// with a clock that runs as fast as the machine can write. Other ones change each hour.
// Usage: bench_recording RESULTS [HOURS]
#include "backend/history/recordqueries.h"
#include "backend/history/recordwriter.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/monthbench.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <sys/resource.h>

using namespace lk;

namespace {

constexpr int scale = 50;
constexpr int primitives = 100'000 / scale;
constexpr int changing = primitives / 20; // each second
constexpr qint64 startMs = 1'700'000'000'000;

double cpuSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + double(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

PrimitivePtr madePrimitive(int i)
{
    const Kind kinds[] = {Kind::Lock, Kind::Limiter, Kind::Limiter, Kind::Queue};
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kinds[i % 4];
    primitive->id = {primitive->kind == Kind::Lock      ? "set-nx-px"
                     : primitive->kind == Kind::Limiter ? "rolling-window"
                                                        : "reliable-list",
                     "tenant:" + QByteArray::number(i * 7919 % 100'000) + ":thing"};
    primitive->keys = {{"main", primitive->id.name}};
    primitive->confidence = 0.9;
    return primitive;
}

/// One change of one primitive, and the numbers that it has then.
void change(const PrimitivePtr& primitive, qint64 nowMs, quint32 noise, RecordBatch& batch)
{
    auto state = std::make_shared<State>();
    state->primitive = primitive;
    state->asOfMs = nowMs;
    state->health = Health::Ok;
    state->observed.firstSeenMs = startMs;
    const auto sample = [&](const char* metric, double value) {
        batch.samples.push_back({primitive->id, metric, nowMs, value});
    };
    switch (primitive->kind) {
    case Kind::Lock: {
        LockState lock;
        lock.phase = noise & 1 ? LockState::Phase::Held : LockState::Phase::Free;
        lock.ownerKnown = noise & 1;
        lock.owner = "worker-" + QByteArray::number(noise % 50) + "-7f3c";
        lock.leaseMs = 30'000 - noise % 1000;
        state->ttlMs = lock.leaseMs;
        state->observed.sinceMs = nowMs;
        sample("lease", double(*lock.leaseMs));
        state->body = lock;
        break;
    }
    case Kind::Limiter: {
        LimiterState limiter;
        limiter.limit = 100;
        limiter.windowMs = 60'000;
        limiter.occupancy = noise % 100;
        limiter.remaining = 100 - noise % 100;
        limiter.nextFreeMs = 0;
        sample("used", double(noise % 100));
        state->body = limiter;
        break;
    }
    default: {
        QueueState queue;
        queue.ready = noise % 500;
        queue.processing = noise % 8;
        queue.delayed = 0;
        queue.dead = 3;
        queue.states = {{"waiting", JobRole::Ready, queue.ready},
                        {"in-progress", JobRole::Processing, queue.processing}};
        sample("ready", double(noise % 500));
        sample("processing", double(noise % 8));
        state->body = queue;
        break;
    }
    }
    batch.states.push_back({primitive, nowMs, std::move(state)});
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const int hours = argc > 2 ? std::max(3, QByteArray(argv[2]).toInt()) : 6;
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.db"));
    ManualClock clock(startMs);
    RecordWriter writer({path, {}, &clock});
    const RecordedDeployment deployment{"redis:bench:6379/0", {}, QStringLiteral("bench")};
    writer.begin(deployment, clock.nowMs());
    std::vector<PrimitivePtr> all;
    for (int i = 0; i < primitives; ++i)
        all.push_back(madePrimitive(i));
    quint32 noise = 1;
    const auto next = [&noise] { return noise = noise * 1664525U + 1013904223U, noise >> 8; };
    std::vector<double> bytes;
    const double cpuBefore = cpuSeconds();
    for (int second = 0; second < hours * 3600; ++second) {
        clock.advance(1000);
        auto batch = std::make_shared<RecordBatch>();
        batch->deployment = deployment.key;
        batch->atMs = clock.nowMs();
        if (second == 0) {
            for (const PrimitivePtr& primitive : all)
                change(primitive, clock.nowMs(), next(), *batch);
        }
        for (int i = 0; i < changing; ++i)
            change(all[size_t((second / 3600 * changing + i) % primitives)], clock.nowMs(), next(),
                   *batch);
        writer.add(batch);
        writer.flush();
        if (second % 60 == 59)
            writer.settle();
        if (second % 3600 == 3599)
            bytes.push_back(double(QFileInfo(path).size()));
    }
    const double cpu = cpuSeconds() - cpuBefore;
    bench::Report report(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString(),
                         QStringLiteral("recording"));
    const double share = cpu / (hours * 3600.0) * scale * 100;
    // The first hour is kept as read; each further one adds what it becomes.
    const double anHour = (bytes.back() - bytes[1]) / double(bytes.size() - 2);
    const double aDay = (bytes[1] + 22 * anHour) * scale / 1e9;
    report.row(QStringLiteral("100,000 primitives, 5 % a second"), QString(),
               {{QStringLiteral("CPU, % of a core"), share},
                {QStringLiteral("GB a day"), aDay},
                {QStringLiteral("us a change"), cpu * 1e6 / (double(hours) * 3600 * changing)}});
    report.atMost(QStringLiteral("CPU of a core"), share, 10, QStringLiteral("%"));
    report.atMost(QStringLiteral("size of a day"), aDay, 2, QStringLiteral("GB"));

    RecordQueries queries(path);
    if (!queries.open())
        return 1;
    std::vector<double> moments;
    std::vector<double> series;
    for (int i = 0; i < 20; ++i) {
        const qint64 at = startMs + (clock.nowMs() - startMs) / 20 * i;
        QElapsedTimer timer;
        timer.start();
        queries.momentAt(deployment.key, at);
        moments.push_back(double(timer.nsecsElapsed()) / 1e6);
        timer.start();
        queries.series({deployment.key, all[size_t(i)]->id}, "used", startMs, clock.nowMs(), 2000);
        series.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    report.row(QStringLiteral("a moment of %1 primitives").arg(primitives), QStringLiteral("ms"),
               {{QStringLiteral("median"), bench::median(moments)},
                {QStringLiteral("slowest"), bench::percentile(moments, 1)}});
    report.row(QStringLiteral("one metric over %1 h").arg(hours), QStringLiteral("ms"),
               {{QStringLiteral("median"), bench::median(series)},
                {QStringLiteral("slowest"), bench::percentile(series, 1)}});
    bench::measureMonth(report);
    return report.save(QString()) ? 0 : 1;
}
