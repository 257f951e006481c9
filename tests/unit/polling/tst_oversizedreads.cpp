// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/oversizedreads.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;
using Verdict = OversizedReads::Verdict;

/// Finds the primitive whose reply exceeded the cap.
class TestOversizedReads : public QObject
{
    Q_OBJECT

private:
    static ReadRequest requestFor(Handle handle)
    {
        ReadRequest request;
        request.handle = handle;
        request.primitive = madePrimitive(Kind::Queue, "reliable-list", "jobs");
        return request;
    }
    const Error m_error{ErrorCode::ReplyTooLarge, QStringLiteral("32 MB")};

private slots:
    void allOfABatchAreSuspects()
    {
        FollowedTable table;
        OversizedReads reads(table);
        QCOMPARE(reads.failed({requestFor(1_h), requestFor(2_h)}, false, m_error, 1000).verdict,
                 Verdict::AskAlone);
        QVERIFY(reads.isSuspect(1_h) && reads.isSuspect(2_h) && !reads.isSuspect(3_h));
        QVERIFY(!reads.isSuspect(Handle(1, 1))); // nor who has its place next
        QVERIFY(reads.takeSuspect(1_h));
        QVERIFY(!reads.takeSuspect(1_h)); // it had its turn alone
        table.erase(2_h);
        QVERIFY(!reads.isSuspect(2_h));
    }

    void whoFailsAloneIsGivenUp()
    {
        FollowedTable table;
        OversizedReads reads(table);
        const auto outcome = reads.failed({requestFor(1_h)}, true, m_error, 1000).givenUp;
        QVERIFY(outcome);
        QCOMPARE(outcome->handle, 1_h);
        QVERIFY(outcome->state.problem == m_error);
        QCOMPARE(outcome->state.asOfMs, 1000);
        QVERIFY(!reads.isSuspect(1_h));
    }

    void theLastOfABatchIsNotTheCulprit()
    {
        FollowedTable table;
        OversizedReads reads(table); // the others were forgotten meanwhile
        QVERIFY(!reads.failed({requestFor(1_h)}, false, m_error, 1000).givenUp);
        QVERIFY(reads.isSuspect(1_h));
    }

    void whatFailedOtherwiseIsNoSuspect()
    {
        FollowedTable table;
        OversizedReads reads(table);
        const Error lost{ErrorCode::ServerClosed, {}};
        QCOMPARE(reads.failed({requestFor(1_h)}, true, lost, 1000).verdict, Verdict::Other);
        QVERIFY(!reads.isSuspect(1_h));
    }

    void soManyAreGivenUpAtMost()
    {
        FollowedTable table;
        OversizedReads reads(table, 2);
        for (const Verdict expected : {Verdict::GiveUp, Verdict::GiveUp, Verdict::TooMany})
            QCOMPARE(reads.failed({requestFor(1_h)}, true, m_error, 1000).verdict, expected);
    }
};

LK_TEST(TestOversizedReads);
#include "tst_oversizedreads.moc"
