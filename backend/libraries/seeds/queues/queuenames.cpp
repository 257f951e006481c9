// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/seeds/queues/queuenames.h"
#include "backend/libraries/detect/wordlists.h"

#include "backend/libraries/detect/namehints.h"

#include <optional>

namespace lk {

namespace {

constexpr std::string_view separators = ":_-.";

struct RoleWord
{
    const char* role;
    const char* word;
    bool anywhere; ///< also first, and in the middle before a worker's name
    bool strong;
};

// Longer words first: "dead-letter" ends in no other word of the list, "in_progress" might.
constexpr RoleWord roleWords[] = {
    {"processing", "in_progress", true, true},
    {"processing", "in-progress", true, true},
    {"processing", "inprogress", true, true},
    {"processing", "processing", true, true},
    {"processing", "unacked", true, true},
    {"processing", "dequeued", true, true},
    {"processing", "working", true, false},
    {"processing", "reserved", true, false},
    {"processing", "active", true, false},
    {"processing", "backup", true, false},
    {"processing", "doing", true, false},
    {"dead", "dead-letter", false, true},
    {"dead", "dead_letter", false, true},
    {"dead", "deadletter", false, true},
    {"dead", "failed", false, false},
    {"dead", "dead", false, false},
    {"dead", "dlq", false, true},
    {"delayed", "scheduled", false, false},
    {"delayed", "delayed", false, false},
    {"ready", "pending", false, false},
    {"ready", "waiting", false, false},
    {"ready", "ready", false, false},
};
constexpr const char* readyWords[] = {"ready", "pending", "waiting", "queue"};

bool isSeparator(char c)
{
    return separators.find(c) != std::string_view::npos;
}

bool hasAt(const QByteArray& name, qsizetype at, QByteArrayView word)
{
    return at >= 0 && at + word.size() <= name.size() &&
           qstrnicmp(name.constData() + at, word.size(), word.data(), word.size()) == 0;
}

// stem + separator + word, and for processing lists word + separator + stem and stem + separator +
// word + separator + worker.
std::optional<QueueName> matched(const QByteArray& name, const RoleWord& w)
{
    const QByteArrayView word(w.word);
    const auto found = [&](const QByteArray& stem, char separator) {
        return QueueName{stem, w.role, separator, false, w.strong};
    };
    const qsizetype end = name.size() - word.size();
    if (end > 1 && hasAt(name, end, word) && isSeparator(name[end - 1]))
        return found(name.left(end - 1), name[end - 1]);
    if (!w.anywhere)
        return std::nullopt;
    if (name.size() > word.size() + 1 && hasAt(name, 0, word) && isSeparator(name[word.size()]))
        return found(name.mid(word.size() + 1), name[word.size()]);
    for (qsizetype i = 1; w.strong && i + 1 < end; ++i) {
        if (isSeparator(name[i]) && hasAt(name, i + 1, word) &&
            name[i + 1 + word.size()] == name[i])
            return found(name.left(i), name[i]);
    }
    return std::nullopt;
}

char lastSeparator(const QByteArray& name)
{
    for (qsizetype i = name.size() - 1; i >= 0; --i) {
        if (isSeparator(name[i]))
            return name[i];
    }
    return ':';
}

} // namespace

QueueName queueNameOf(const QByteArray& name)
{
    for (const RoleWord& word : roleWords) {
        if (const auto part = matched(name, word))
            return *part;
    }
    return {name, QByteArrayLiteral("ready"), lastSeparator(name), true, false};
}

std::vector<QByteArray> readyNamesFor(const QueueName& part)
{
    std::vector<QByteArray> names{part.stem};
    for (const char* word : readyWords)
        names.push_back(part.stem + part.separator + word);
    return names;
}

QByteArray processingNameFor(const QueueName& part)
{
    return part.stem + part.separator + "processing";
}

bool isQueueName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"queues">());
}

bool isListOfOthers(const QByteArray& name)
{
    // Words for finished work, for measurements, and for things that people read, watch or apply
    // for.
    return hasWord(name, wordsIn<"not-queues">());
}

bool isQueueAlone(const QByteArray& name)
{
    return !isListOfOthers(name) && !namesIdentity(name) &&
           isQueueName(name.mid(name.lastIndexOf(':') + 1));
}

} // namespace lk
