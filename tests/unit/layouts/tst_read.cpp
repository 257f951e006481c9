// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/read.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

// Each reply is the command's name and first argument.
std::vector<Reply> repliesTo(const std::vector<Command>& commands)
{
    std::vector<Reply> replies;
    for (const Command& command : commands)
        replies.push_back(Reply::bulk(command.args()[0] + ' ' + command.args()[1]));
    return replies;
}

std::vector<Command> gets(const QByteArrayList& keys)
{
    std::vector<Command> commands;
    for (const QByteArray& key : keys)
        commands.push_back({"GET", key});
    return commands;
}

Read<QByteArray> readNothing()
{
    co_return "nothing";
}

// Asks for the key, then for what the answer names, that many times.
Read<QByteArray> readChain(QByteArray key, int steps)
{
    for (int i = 0; i < steps; ++i) {
        const QByteArrayList keys(1, key);
        const std::vector<Reply> replies = co_await ask(gets(keys));
        key = replies[0].text;
    }
    co_return key;
}

Read<QByteArray> readNested()
{
    QByteArray all = co_await readNothing();
    all += '|' + co_await readChain("a", 2);
    const std::vector<Command> none;
    for (const Reply& reply : co_await ask(none))
        all += reply.text; // never
    const QByteArrayList two{"x", "y"};
    const std::span<const Reply> last = co_await askLast(gets(two));
    all += '|' + last[0].text + '|' + last[1].text;
    co_return all;
}

template<typename T> std::vector<size_t> run(Read<T>& read)
{
    std::vector<size_t> asked;
    while (!read.isDone()) {
        asked.push_back(read.commands().size());
        read.next(repliesTo(read.commands()));
    }
    return asked;
}

} // namespace

class TestRead : public QObject
{
    Q_OBJECT

private slots:
    void asksStepByStep();
    void awaitsOtherReads();
    void readsSideBySide();
    void mayBeDropped();
};

void TestRead::asksStepByStep()
{
    Read<QByteArray> none = readNothing();
    QVERIFY(none.isDone() && none.commands().empty());
    QCOMPARE(none.take(), QByteArray("nothing"));

    Read<QByteArray> chain = readChain("k", 3);
    QCOMPARE(chain.commands().front().args()[1], QByteArray("k"));
    QCOMPARE(run(chain), (std::vector<size_t>{1, 1, 1}));
    QCOMPARE(chain.take(), QByteArray("GET GET GET k"));
}

void TestRead::awaitsOtherReads()
{
    Read<QByteArray> read = readNested();
    QCOMPARE(run(read), (std::vector<size_t>{1, 1, 2}));
    QCOMPARE(read.take(), QByteArray("nothing|GET GET a|GET x|GET y"));
}

// In as many steps as the longest takes, each with the questions of all that are not done.
void TestRead::readsSideBySide()
{
    auto read = together(readChain("a", 1), readNothing(), readNested(), replied(gets({"b", "c"})));
    QCOMPARE(run(read), (std::vector<size_t>{4, 1, 2}));
    const auto [chain, nothing, nested, replies] = read.take();
    QCOMPARE(chain, QByteArray("GET a"));
    QCOMPARE(nothing, QByteArray("nothing"));
    QCOMPARE(nested, QByteArray("nothing|GET GET a|GET x|GET y"));
    QCOMPARE(replies.size(), 2U);
    QCOMPARE(replies[1].text, QByteArray("GET c"));
}

void TestRead::mayBeDropped()
{
    Read<QByteArray> read = readNested();
    read.next(repliesTo(read.commands()));
    Read<QByteArray> moved = std::move(read);
    QCOMPARE(moved.commands().size(), 1U);
    moved = readChain("k", 1);
    QCOMPARE(run(moved), (std::vector<size_t>{1}));
}

LK_TEST(TestRead);
#include "tst_read.moc"
