// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/redisson/redissonpermits.h"

#include <QtEndian>

namespace lk {

namespace {

constexpr PermitPacking floatAndPermits{"fI", "3.13.3 - 3.16.3"};
constexpr PermitPacking longLength{"Lc0I", "3.16.4 - 3.16.8"};
constexpr PermitPacking shortRandom{"Bc0I", "3.17.0 - 3.20"};
constexpr PermitPacking longRandom{"Bc0I", "3.21.0 -"};

} // namespace

const PermitPacking* packingOf(const QByteArray& member)
{
    const auto* bytes = reinterpret_cast<const uchar*>(member.constData());
    switch (member.size()) {
    case 8:
        return &floatAndPermits;
    case 13:
        return bytes[0] == 8 ? &shortRandom : nullptr;
    case 20:
        return qFromLittleEndian<quint64>(bytes) == 8 ? &longLength : nullptr;
    case 21:
        return bytes[0] == 16 ? &longRandom : nullptr;
    default:
        return nullptr;
    }
}

std::optional<quint32> permitsOf(const QByteArray& member)
{
    if (!packingOf(member))
        return std::nullopt;
    return qFromLittleEndian<quint32>(member.constData() + member.size() - 4);
}

} // namespace lk
