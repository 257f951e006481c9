// SPDX-License-Identifier: GPL-3.0-or-later
// bench_sorter RESULTS.json [ROWS]
// Measures the time of the window's worker thread for a million limiters: to sort them by each
// column, to filter them, and to handle a second in which a thousand of them change.
#include "backend/session/board/boardsorter.h"
#include "backend/text/columns/column.h"
#include "tests/bench/benchreport.h"
#include "tests/unit/madestates.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QRandomGenerator>
#include <QTimer>

#include <array>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr int changesASecond = 1000;
constexpr int seconds = 20;
constexpr double mostForQuery = 300;
constexpr double mostASecond = 50;

// Names of several beginnings, as those of a server are.
QByteArray nameOf(quint32 number)
{
    static const std::array<QByteArray, 3> beginnings{"rl:user:", "rl:tenant:eu-west:", "api:key:"};
    return beginnings[number % beginnings.size()] + QByteArray::number(number);
}

StatePtr anyLimiter(QRandomGenerator& random, quint32 number)
{
    State state =
        test::madeState(test::madePrimitive(Kind::Limiter, "rolling-window", nameOf(number)), 1000);
    auto& body = state.body.get<LimiterState>();
    body.limit = 5;
    body.occupancy = random.bounded(6);
    body.remaining = 5 - *body.occupancy;
    state.health = *body.remaining == 0 ? Health::Warning : Health::Ok;
    state.urgency = double(*body.occupancy) / 5;
    return std::make_shared<const State>(std::move(state));
}

double cpuMs()
{
    return double(std::clock()) * 1e3 / CLOCKS_PER_SEC;
}

double msOf(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return double(timer.nsecsElapsed()) / 1e6;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 2)
        return 2;
    const auto rows = quint32(arguments.value(2, QStringLiteral("1000000")).toInt());
    QRandomGenerator random(1);
    BoardSorter sorter;
    auto all = std::make_shared<Delta>();
    for (quint32 i = 0; i < rows; ++i)
        all->changes.push_back({Handle(i), anyLimiter(random, i)});
    sorter.apply(all);
    std::printf("The boards' worker with %u rows\n", rows);
    Report report(arguments[1], QStringLiteral("sorter"));
    // By itself, before anybody asks for an order.
    const double ordering = msOf([&] { sorter.everySecond(); });
    report.row(QStringLiteral("what came put in order by name"), QStringLiteral("ms"),
               {{QStringLiteral("took"), ordering}});
    const auto query = [&](const QString& what, const BoardQuery& asked) {
        const double before = cpuMs();
        const double ms = msOf([&] { sorter.setQuery(asked); });
        report.row(what, QStringLiteral("ms"),
                   {{QStringLiteral("took"), ms}, {QStringLiteral("cpu"), cpuMs() - before}});
        report.atMost(what, ms, mostForQuery, QStringLiteral("ms"));
    };
    BoardQuery asked;
    query(QStringLiteral("worst first"), asked);
    for (int column = 0; column < int(columns(Kind::Limiter).size()); ++column) {
        asked.column = column;
        query(QStringLiteral("by ") + title(columns(Kind::Limiter)[size_t(column)]), asked);
    }
    asked.column = -1;
    asked.filter = QStringLiteral("77");
    query(QStringLiteral("filtered"), asked);
    asked.filter.clear();
    sorter.setQuery(asked);

    // The deltas are made beforehand: this program's CPU is the sorter's alone.
    std::vector<DeltaPtr> deltas;
    for (int i = 0; i < seconds; ++i) {
        auto delta = std::make_shared<Delta>();
        for (int change = 0; change < changesASecond; ++change) {
            const quint32 place = random.bounded(rows);
            delta->changes.push_back({Handle(place), anyLimiter(random, place)});
        }
        deltas.push_back(std::move(delta));
    }
    sorter.start();
    const auto watch = [&](const QString& what, const std::function<void(int)>& everySecond) {
        QEventLoop loop;
        QTimer timer;
        int second = 0;
        QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
            if (second == seconds)
                return loop.quit();
            everySecond(second++);
        });
        const double before = cpuMs();
        timer.start(1000);
        loop.exec();
        const double ms = (cpuMs() - before) / seconds;
        report.row(what, QStringLiteral("ms a second"), {{QStringLiteral("cpu"), ms}});
        report.atMost(what, ms, mostASecond, QStringLiteral("ms a second"));
    };
    watch(QStringLiteral("a thousand change each second"),
          [&](int second) { sorter.apply(deltas[size_t(second)]); });
    watch(QStringLiteral("nothing changes"), [](int) {});
    return report.save(QString()) ? 0 : 1;
}
