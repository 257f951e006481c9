// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/consolewindow.h"
#include "widgets/detail/tables/patterntable.h"

namespace lk::test {

inline constexpr auto patternConfig = R"(
[[pattern]]
key = "pagewviews.*"
layout = "navigation-session"
ttl = "60s"
[[pattern]]
key = "seats:*"
layout = "array"
record = 8
[[queue]]
key = "events:pending"
layout = "event-queue"
helper = "{name}:helper"
)";

/// One of each layout that the pattern document has, as its own commands leave them, and an array
/// with an undeclared record: eight patterns. Also adds an event queue.
inline void fillWithPatterns(RedisServer& server)
{
    server.lines({"RPUSH sites:rotation c b a", "RPUSH pagewviews.user:17 /first /second /third",
                  "PEXPIRE pagewviews.user:17 49000", "RPUSH ids 3 1 2",
                  "SORT ids STORE sorted:ids", "EXPIRE sorted:ids 300", "DEL ids",
                  "SET sorted:ids:lock ef1f63c PX 200000",
                  "ZADD markov:the 0.5 cat 0.75 dog 1 house", "INCRBY mycounter 42",
                  "SETRANGE seats:main 0 parzival", "SETRANGE seats:main 16 aech",
                  "SETRANGE plain:array 99 x", "SADD events:pending e1 e2 e3",
                  "LPUSH events:pending:helper x x"});
    for (const char* bit : {"3", "17", "40", "511"})
        server.line(QByteArray("SETBIT users:active:2026-11-21 ") + bit + " 1");
    for (const char* bit : {"3", "99"})
        server.line(QByteArray("SETBIT users:active:2026-11-20 ") + bit + " 1");
}
inline constexpr int patternCount = 8;
inline constexpr int patternPrimitives = patternCount + 1;

/// Selects that row of a board and waits until the pane shows it.
inline void selectRow(ConsoleWindow& console, const char* name, int board = Patterns)
{
    QVERIFY(console.waitForScan(patternPrimitives));
    console.window.showBoard(board);
    QTRY_VERIFY(console.rowOf(board, QLatin1String(name)) >= 0);
    console.clickRow(board, QLatin1String(name));
    QTRY_VERIFY(console.detail(board).contains(QLatin1String(name)));
}

/// A column of the pane's rows, from the top; none while they are not seen.
inline QStringList patternRows(ConsoleWindow& console, int column = PatternModel::LabelColumn)
{
    auto* table = console.page(Patterns).findChild<PatternTable*>();
    QStringList texts;
    for (int row = 0; table->isVisible() && row < table->model()->rowCount(); ++row)
        texts << table->model()->index(row, column).data().toString();
    return texts;
}

inline QStringList list(std::initializer_list<const char*> texts)
{
    QStringList all;
    for (const char* text : texts)
        all << QString::fromUtf8(text);
    return all;
}

} // namespace lk::test
