// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"

namespace lk {

namespace {

constexpr int slotCount = 16384;

quint16 crc16(QByteArrayView bytes)
{
    constexpr quint16 polynomial = 0x1021;
    quint16 crc = 0;
    for (const char c : bytes) {
        crc = quint16(crc ^ (quint16(uchar(c)) << 8));
        for (int bit = 0; bit < 8; ++bit)
            crc = quint16(crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1);
    }
    return crc;
}

} // namespace

int keySlot(const QByteArray& key)
{
    const qsizetype open = key.indexOf('{');
    const qsizetype close = open < 0 ? -1 : key.indexOf('}', open + 1);
    const bool tagged = close > open + 1;
    return crc16(tagged ? QByteArrayView(key).sliced(open + 1, close - open - 1)
                        : QByteArrayView(key)) %
           slotCount;
}

} // namespace lk
