// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/ownershape.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/characters.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/text/time/duration.h"

#include <QDateTime>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 clockSlackMs = 60'000; // a client's clock may be ahead of the server's
constexpr qint64 longestHeldMs = 400LL * 24 * 3600 * 1000;

bool isPlausible(qint64 takenMs, qint64 nowMs)
{
    return takenMs <= nowMs + clockSlackMs && takenMs >= nowMs - longestHeldMs;
}

bool isAlnum(char c)
{
    return isDigit(c) || isLetter(c);
}

// Random text of this length lacks one of the two cases once or twice in a million. A word, a slug
// or a number has only one case.
bool hasBothCases(QByteArrayView text)
{
    return anyIs(text, isLower) && anyIs(text, isUpper);
}

bool isLowerHex(QByteArrayView text)
{
    return isHex(text) && !anyIs(text, isUpper);
}

// Reads the time and the node of a UUID of version 1. The time is stored as the low 32 bits, the
// middle 16 bits, the version and the high 12 bits.
std::optional<OwnerInfo> uuid1(QByteArrayView hex, qint64 nowMs)
{
    constexpr qint64 epochMs = 12'219'292'800'000; // from 1582-10-15 to 1970
    const char variant = hex[16];
    if (hex[12] != '1' || !(variant == '8' || variant == '9' || variant == 'a' || variant == 'b'))
        return std::nullopt;
    const QByteArray ticks = hex.sliced(13, 3).toByteArray() + hex.sliced(8, 4).toByteArray() +
                             hex.first(8).toByteArray();
    const qint64 takenMs = qint64(ticks.toULongLong(nullptr, 16) / 10'000) - epochMs;
    if (!isPlausible(takenMs, nowMs))
        return std::nullopt;
    OwnerInfo info;
    info.form = OwnerForm::Uuid1Hex;
    info.takenMs = takenMs;
    QByteArrayList pairs;
    for (qsizetype i = 20; i < 32; i += 2)
        pairs << hex.sliced(i, 2).toByteArray();
    info.mac = pairs.join(':');
    return info;
}

std::optional<OwnerInfo> addedAtHost(QByteArrayView value, qint64 nowMs)
{
    constexpr QByteArrayView start = "ADDED:";
    if (!value.startsWith(start))
        return std::nullopt;
    const qsizetype at = value.indexOf('@');
    if (at < 0)
        return std::nullopt;
    const QDateTime taken = QDateTime::fromString(
        QString::fromLatin1(value.sliced(start.size(), at - start.size())), Qt::ISODateWithMs);
    if (!taken.isValid())
        return std::nullopt;
    OwnerInfo info;
    info.form = OwnerForm::AddedAtHost;
    if (isPlausible(taken.toMSecsSinceEpoch(), nowMs))
        info.takenMs = taken.toMSecsSinceEpoch();
    QByteArray rest = value.sliced(at + 1).toByteArray();
    const qsizetype colon = rest.lastIndexOf(':');
    if (colon >= 0 && isUuid(QByteArrayView(rest).sliced(colon + 1))) {
        info.client = rest.mid(colon + 1);
        rest.truncate(colon);
    }
    info.host = rest;
    return info;
}

std::optional<OwnerInfo> machinePid(QByteArrayView value)
{
    constexpr qsizetype random = 32;
    const qsizetype last = value.size() - random - 1;
    if (last < 3 || value[last] != '_' || !isLowerHex(value.sliced(last + 1)))
        return std::nullopt;
    const qsizetype before = value.first(last).lastIndexOf('_');
    if (before < 1 || last == before + 1 ||
        !allAre(value.sliced(before + 1, last - before - 1), isDigit))
        return std::nullopt;
    OwnerInfo info;
    info.form = OwnerForm::MachinePid;
    info.host = value.first(before).toByteArray();
    info.process = value.sliced(before + 1, last - before - 1).toByteArray();
    return info;
}

std::optional<OwnerInfo> uuidForms(QByteArrayView value)
{
    constexpr qsizetype uuid = 36;
    if (value.size() < uuid || !isUuid(value.first(uuid)))
        return std::nullopt;
    OwnerInfo info;
    info.form = OwnerForm::Uuid;
    info.client = value.first(uuid).toByteArray();
    if (value.size() == uuid)
        return info;
    const char separator = value[uuid];
    QByteArrayView rest = value.sliced(uuid + 1);
    if (separator == ':') {
        constexpr QByteArrayView writer = ":write";
        if (rest.endsWith(writer))
            rest.chop(writer.size());
        if (rest.isEmpty() || !allAre(rest, isDigit))
            return std::nullopt;
        info.form = OwnerForm::UuidAndCount;
        info.thread = rest.toByteArray();
        return info;
    }
    if ((separator != '-' && separator != '_') || rest.isEmpty())
        return std::nullopt;
    info.metadata = rest.toByteArray();
    return info;
}

bool isBase64(char c)
{
    return isAlnum(c) || c == '+' || c == '/';
}

bool isBase64Url(char c)
{
    return isAlnum(c) || c == '-' || c == '_';
}

OwnerForm randomForm(QByteArrayView value)
{
    if (!hasBothCases(value))
        return OwnerForm::Unknown;
    if (value.size() == 24 && allAre(value, isBase64))
        return OwnerForm::Base64Of18;
    if (value.size() == 24 && value.endsWith("==") && allAre(value.chopped(2), isBase64))
        return OwnerForm::Base64Of16;
    if (value.size() == 16 && allAre(value, isAlnum))
        return OwnerForm::Alnum16;
    if (value.size() == 20 && allAre(value, isAlnum))
        return OwnerForm::Alnum20;
    // Only without metadata: with any, the value may be some other number or path.
    if (value.size() == 22 && allAre(value, isBase64Url) && anyIs(value, isDigit))
        return OwnerForm::Base64Url22;
    return OwnerForm::Unknown;
}

std::optional<OwnerInfo> hostPid(QByteArrayView value)
{
    const qsizetype colon = value.indexOf(':');
    if (colon < 2 || isHex(value) || !looksLikeOwnerToken(value) ||
        isUuid(value.first(std::min<qsizetype>(36, value.size()))))
        return std::nullopt;
    OwnerInfo info;
    info.form = OwnerForm::HostPid;
    info.host = value.first(colon).toByteArray();
    QByteArrayView rest = value.sliced(colon + 1);
    const qsizetype end = rest.indexOf(':');
    info.process = (end < 0 ? rest : rest.first(end)).toByteArray();
    if (end >= 0)
        info.thread = rest.sliced(end + 1).toByteArray();
    return info;
}

} // namespace

bool mayBe(OwnerForm form, QByteArrayView value)
{
    switch (form) {
    case OwnerForm::Uuid1Hex:
        return value.size() == 32 && value[12] == '1';
    case OwnerForm::Hex32:
        return value.size() == 32;
    case OwnerForm::Uuid:
    case OwnerForm::UuidAndCount:
        return value.size() >= 36 && value[8] == '-';
    case OwnerForm::AddedAtHost:
        return value.startsWith("ADDED:");
    case OwnerForm::MachinePid:
        return value.size() > 36 && value[value.size() - 33] == '_';
    case OwnerForm::HostPid:
        return value.contains(':');
    case OwnerForm::Base64Of18:
    case OwnerForm::Base64Of16:
        return value.size() == 24;
    case OwnerForm::Base64Url22:
        return value.size() == 22;
    case OwnerForm::Alnum16:
        return value.size() == 16;
    case OwnerForm::Alnum20:
        return value.size() == 20;
    case OwnerForm::Unknown:
        break;
    }
    return true;
}

OwnerInfo ownerInfoOf(QByteArrayView value, qint64 nowMs)
{
    if (value.size() == 32 && isLowerHex(value)) {
        if (auto info = uuid1(value, nowMs))
            return *info;
        OwnerInfo info;
        // A number of 32 digits is not an owner.
        info.form = anyIs(value, isLower) ? OwnerForm::Hex32 : OwnerForm::Unknown;
        return info;
    }
    if (auto info = addedAtHost(value, nowMs))
        return *info;
    if (auto info = machinePid(value))
        return *info;
    if (auto info = uuidForms(value))
        return *info;
    OwnerInfo info;
    info.form = randomForm(value);
    if (info.form != OwnerForm::Unknown)
        return info;
    return hostPid(value).value_or(info);
}

namespace {

// The string or number in a field of a JSON object, which may be cut.
QByteArrayView fieldIn(QByteArrayView object, QByteArrayView name)
{
    const QByteArray quoted = '"' + name.toByteArray() + '"';
    qsizetype at = object.indexOf(quoted);
    if (at < 0)
        return {};
    at += quoted.size();
    while (at < object.size() && (object[at] == ' ' || object[at] == ':'))
        ++at;
    const bool isText = at < object.size() && object[at] == '"';
    at += isText ? 1 : 0;
    qsizetype end = at;
    while (end < object.size() &&
           (isText ? object[end] != '"' && object[end] != '\\'
                   : isAlnum(object[end]) || object[end] == '.' || object[end] == '-'))
        ++end;
    // A value that is cut or is an object gives no owner.
    if (end == at || end >= object.size() || (isText && object[end] != '"'))
        return {};
    return object.sliced(at, end - at);
}

constexpr QByteArrayView ownerFields[] = {"owner",    "ownerId",    "owner_id",  "holder",
                                          "holderId", "lockedBy",   "locked_by", "acquiredBy",
                                          "clientId", "instanceId", "instance",  "workerId",
                                          "worker",   "hostname",   "host",      "pid"};
constexpr QByteArrayView timeFields[] = {"lockedSince", "lockedAt",    "locked_at", "acquiredAt",
                                         "acquired_at", "lockedUntil", "expiresAt", "expires_at",
                                         "lockTime",    "acquired",    "leaseUntil"};

} // namespace

QByteArray ownerInObject(QByteArrayView value)
{
    if (!value.startsWith('{'))
        return {};
    for (const QByteArrayView name : ownerFields) {
        if (const QByteArrayView owner = fieldIn(value, name); !owner.isEmpty())
            return owner.first(std::min<qsizetype>(owner.size(), 64)).toByteArray();
    }
    return {};
}

bool tellsOfLock(QByteArrayView value)
{
    return value.startsWith('{') &&
           (!ownerInObject(value).isEmpty() ||
            std::any_of(std::begin(timeFields), std::end(timeFields),
                        [&](QByteArrayView name) { return !fieldIn(value, name).isEmpty(); }));
}

QByteArray ownerLibraries(OwnerForm form)
{
    switch (form) {
    case OwnerForm::Uuid1Hex:
        return QByteArrayLiteral("redis-py");
    case OwnerForm::Hex32:
        return QByteArrayLiteral("redlock (Node.js), mario-redis-lock");
    case OwnerForm::Uuid:
        return QByteArrayLiteral("redlock-rb, RedLock.net, aioredlock, Spring Integration");
    case OwnerForm::AddedAtHost:
        return QByteArrayLiteral("ShedLock");
    case OwnerForm::MachinePid:
        return QByteArrayLiteral("DistributedLock (.NET)");
    case OwnerForm::Base64Of18:
        return QByteArrayLiteral("python-redis-lock");
    case OwnerForm::Base64Of16:
        return QByteArrayLiteral("redsync");
    case OwnerForm::Base64Url22:
        return QByteArrayLiteral("bsm/redislock");
    case OwnerForm::Alnum16:
    case OwnerForm::Alnum20:
        return QByteArrayLiteral("Laravel");
    case OwnerForm::UuidAndCount:
    case OwnerForm::HostPid:
    case OwnerForm::Unknown:
        break;
    }
    return {};
}

QByteArray ownerLabel(const OwnerInfo& info)
{
    switch (info.form) {
    case OwnerForm::AddedAtHost:
        return info.host;
    case OwnerForm::MachinePid:
        return info.host + ", pid " + info.process;
    case OwnerForm::UuidAndCount:
        return info.client.left(8) + ":" + info.thread;
    default:
        return {};
    }
}

void addOwnerFacts(State& state, const OwnerInfo& info)
{
    const auto add = [&](const QString& label, const QString& value) {
        if (!value.isEmpty())
            state.facts.push_back({label, value, Source::Inferred});
    };
    add(LayoutText::tr("Library"), QString::fromLatin1(ownerLibraries(info.form)));
    if (info.takenMs)
        add(LayoutText::tr("Acquired at"), momentText(*info.takenMs));
    add(LayoutText::tr("Host"), displayPreview(info.host, 80));
    add(LayoutText::tr("Process"), displayPreview(info.process, 20));
    add(LayoutText::tr("Client"), displayPreview(info.client, 40));
    add(LayoutText::tr("Thread"), displayPreview(info.thread, 40));
    add(LayoutText::tr("MAC address"), QString::fromLatin1(info.mac));
    add(LayoutText::tr("Metadata"), displayPreview(info.metadata, 80));
}

} // namespace lk
