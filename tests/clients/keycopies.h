// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/keyname.h"
#include "tests/support/redisserver.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <cmath>
#include <map>

namespace lk::test {

/// The content of a key as words, which are sorted if its type has no order.
struct KeyContent
{
    QByteArray type;
    qint64 ttlMs = -1;
    QByteArrayList words;
};
using KeyContents = std::map<QByteArray, KeyContent>;

/// Returns the value, uncompressed if zlib compressed it.
inline QByteArray readable(const QByteArray& value)
{
    if (!value.startsWith("\x78\x9c"))
        return value;
    const QByteArray text = qUncompress(QByteArray("\0\0\0\xff", 4) + value);
    return text.isEmpty() ? value : "zlib: " + text;
}

/// The groups of a stream, and how many entries each consumer of them has not
/// acknowledged.
inline QByteArrayList groupsOf(RedisServer& server, const QByteArray& stream)
{
    QByteArrayList all;
    for (const Reply& group : server.run({"XINFO", "GROUPS", stream}).items) {
        const QByteArray name = group.items[1].text;
        QByteArray word = "group " + name;
        const Reply pending = server.run({"XPENDING", stream, name});
        for (const Reply& consumer : pending.items.back().items)
            word += ' ' + consumer.items[0].text + '=' + consumer.items[1].text;
        all << word;
    }
    return all;
}

/// Reads the contents of all keys. Contains the fields of streams' entries
/// without their ids.
inline KeyContents contentsOf(RedisServer& server)
{
    KeyContents all;
    for (const Reply& key : server.line("KEYS *").items) {
        // A worker of Bull or BullMQ notes there that it has looked for stalled jobs.
        if (key.text.endsWith(":stalled-check"))
            continue;
        KeyContent content;
        content.type = server.run({"TYPE", key.text}).text;
        content.ttlMs = server.run({"PTTL", key.text}).integer;
        const QByteArray& type = content.type;
        const Reply value = type == "string" ? server.run({"GET", key.text})
                            : type == "list" ? server.run({"LRANGE", key.text, "0", "-1"})
                            : type == "hash" ? server.run({"HGETALL", key.text})
                            : type == "set"  ? server.run({"SMEMBERS", key.text})
                            : type == "zset"
                                ? server.run({"ZRANGE", key.text, "0", "-1", "WITHSCORES"})
                                : server.run({"XRANGE", key.text, "-", "+"});
        if (type == "string")
            content.words << value.text;
        for (size_t i = 0; i < value.items.size(); ++i) {
            const Reply& item = value.items[i];
            QByteArray word = item.text;
            if (item.isArray()) {
                for (const Reply& field : item.items.back().items)
                    word += field.text + ' ';
            } else if (type == "hash" || type == "zset") {
                word += '=' + readable(value.items[++i].text);
            }
            content.words << word;
        }
        if (type == "stream")
            content.words << groupsOf(server, key.text);
        if (type == "set" || type == "hash")
            std::sort(content.words.begin(), content.words.end());
        all[key.text] = content;
    }
    return all;
}

/// Replaces the random ids that were not there before, such as those of added jobs.
inline KeyContents withoutNewIds(const KeyContents& contents, const KeyContents& before)
{
    static const QRegularExpression ids(QStringLiteral(
        R"(\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|[0-9A-Za-z]{32})\b)"));
    QStringList known;
    const auto learn = [&](const QByteArray& text) {
        auto found = ids.globalMatch(QString::fromLatin1(text));
        while (found.hasNext())
            known << found.next().captured();
    };
    const auto replaced = [&](const QByteArray& text) {
        QString result = QString::fromLatin1(text);
        auto found = ids.globalMatch(result);
        while (found.hasNext()) {
            const QString id = found.next().captured();
            if (!known.contains(id))
                result.replace(id, QStringLiteral("new-id"));
        }
        return result.toLatin1();
    };
    for (const auto& [key, content] : before) {
        learn(key);
        for (const QByteArray& word : content.words)
            learn(word);
    }
    KeyContents all;
    for (auto [key, content] : contents) {
        for (QByteArray& word : content.words)
            word = replaced(word);
        all[replaced(key)] = content;
    }
    return all;
}

/// A key as DUMP has it, and its TTL in ms, 0 if it has none.
struct KeptKey
{
    QByteArray name;
    QByteArray dump;
    qint64 ttlMs = 0;
};

inline std::vector<KeptKey> keptKeys(RedisServer& server)
{
    std::vector<KeptKey> all;
    for (const Reply& key : server.line("KEYS *").items) {
        const QByteArray dump = server.run({"DUMP", key.text}).text;
        if (!dump.isEmpty()) // else it has expired since
            all.push_back(
                {key.text, dump, std::max<qint64>(0, server.run({"PTTL", key.text}).integer)});
    }
    return all;
}

/// Replaces all keys of the server.
inline void restoreKeys(RedisServer& server, const std::vector<KeptKey>& kept)
{
    server.flush();
    for (const KeptKey& key : kept)
        server.run({"RESTORE", key.name, QByteArray::number(key.ttlMs), key.dump});
}

/// The same but for times: numbers of seconds, milliseconds or microseconds
/// since 1970 and ISO 8601 may differ by so long as two calls are apart.
inline bool isSameButForTimes(const QByteArray& a, const QByteArray& b)
{
    static const QRegularExpression times(
        QStringLiteral(R"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|\b\d{10,17}(?:\.\d+)?\b)"));
    constexpr double apartS = 60;
    if (a == b)
        return true;
    // The order of an object's members does not matter.
    const QJsonObject ours = QJsonDocument::fromJson(a).object();
    const QJsonObject theirs = QJsonDocument::fromJson(b).object();
    if (!ours.isEmpty() && !theirs.isEmpty() && ours.keys() == theirs.keys()) {
        const QStringList names = ours.keys();
        return std::all_of(names.begin(), names.end(), [&](const QString& name) {
            const auto text = [&](const QJsonObject& object) {
                const QJsonValue value = object[name];
                return value.isDouble() ? QByteArray::number(value.toDouble(), 'f', 6)
                                        : QJsonDocument(QJsonArray{value}).toJson();
            };
            return isSameButForTimes(text(ours), text(theirs));
        });
    }
    const QString one = QString::fromLatin1(a);
    const QString other = QString::fromLatin1(b);
    if (QString(one).replace(times, QStringLiteral("#")) !=
        QString(other).replace(times, QStringLiteral("#")))
        return false;
    const auto seconds = [](const QString& text) {
        if (text.contains(QLatin1Char('-'))) {
            const QString iso = text.left(19).replace(QLatin1Char(' '), QLatin1Char('T'));
            return double(QDateTime::fromString(iso, Qt::ISODate).toSecsSinceEpoch());
        }
        double number = text.toDouble();
        while (number > 1e11)
            number /= 1000;
        return number;
    };
    auto left = times.globalMatch(one);
    auto right = times.globalMatch(other);
    while (left.hasNext() && right.hasNext()) {
        if (std::abs(seconds(left.next().captured()) - seconds(right.next().captured())) > apartS)
            return false;
    }
    return true;
}

inline QByteArray shownWords(const QByteArrayList& words)
{
    QByteArrayList all;
    for (const QByteArray& word : words)
        all << displayName(word).toUtf8();
    return all.join(' ');
}

/// True if the key expires within seconds: it may already be missing from one
/// of the two servers.
inline bool endsSoon(const KeyContent& content)
{
    return content.ttlMs >= 0 && content.ttlMs < 5000;
}

/// The differences, a line each: "key: this, not that".
inline QStringList differencesOf(const KeyContents& left, const KeyContents& expected)
{
    QStringList all;
    const auto say = [&](const QByteArray& key, const QByteArray& what) {
        all << QString::fromUtf8(key + ": " + what);
    };
    for (const auto& [key, wanted] : expected) {
        const auto found = left.find(key);
        if (found == left.end() && endsSoon(wanted))
            continue;
        if (found == left.end()) {
            say(key, "is missing; " + wanted.words.join(' ').left(200));
            continue;
        }
        const KeyContent& is = found->second;
        if (is.type != wanted.type || is.words.size() != wanted.words.size())
            say(key, shownWords(is.words) + ", not " + shownWords(wanted.words));
        for (qsizetype i = 0; i < is.words.size() && is.words.size() == wanted.words.size(); ++i) {
            if (!isSameButForTimes(is.words[i], wanted.words[i]))
                say(key, shownWords({is.words[i]}) + ", not " + shownWords({wanted.words[i]}));
        }
        if ((is.ttlMs < 0) != (wanted.ttlMs < 0) || std::abs(is.ttlMs - wanted.ttlMs) > 60'000)
            say(key, "TTL " + QByteArray::number(is.ttlMs) + ", not " +
                         QByteArray::number(wanted.ttlMs));
    }
    for (const auto& [key, content] : left) {
        if (!expected.contains(key) && !endsSoon(content))
            say(key, "is left; " + content.words.join(' ').left(200));
    }
    return all;
}

} // namespace lk::test
