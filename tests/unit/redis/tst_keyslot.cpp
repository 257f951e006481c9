// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTest>

using namespace lk;

/// Slots as the cluster specification and CLUSTER KEYSLOT have them.
class TestKeySlot : public QObject
{
    Q_OBJECT

private slots:
    void knownVectors_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("slot");
        const auto row = [](const QByteArray& key, int slot) {
            QTest::newRow(key.isEmpty() ? "empty" : key.toPercentEncoding().constData())
                << key << slot;
        };
        // Those of the specification, and what redis-server 7.0.15 answered to CLUSTER KEYSLOT.
        row("123456789", 12739);
        row("foo", 12182);
        row("", 0);
        row("{user1000}.following", 3443);
        row("{user1000}.followers", 3443);
        row("user1000", 3443);
        row("foo{}{bar}", 8363);
        row("foo{{bar}}zap", 4015);
        row("{bar", 4015);
        row("foo{bar}{zap}", 5061);
        row("bar", 5061);
        row("{}", 15257);
        row("foo{bar", 15278);
        row(QByteArray("a\0b", 3), 8383);
        row("\xff\xfe", 3374);
    }
    void knownVectors()
    {
        QFETCH(QByteArray, key);
        QFETCH(int, slot);
        QCOMPARE(keySlot(key), slot);
    }

    void everySlotIsInRange()
    {
        QSet<int> slotsSeen;
        for (int i = 0; i < 200'000; ++i) {
            const int slot = keySlot("key:" + QByteArray::number(i));
            QVERIFY(slot >= 0 && slot < 16384);
            slotsSeen << slot;
        }
        QVERIFY(slotsSeen.size() > 16'300); // about all of them
    }
};

LK_TEST(TestKeySlot);
#include "tst_keyslot.moc"
