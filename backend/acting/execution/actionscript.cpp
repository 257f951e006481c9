// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/actionscript.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct ReceiptText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Receipt)
};

// The words that scripts refuse with.
QString refusalText(const QByteArray& why)
{
    if (why == "missing")
        return ReceiptText::tr("It no longer exists");
    if (why == "type")
        return ReceiptText::tr("The key has another type than this action expects");
    if (why == "exists")
        return ReceiptText::tr("The key already exists");
    if (why == "held")
        return ReceiptText::tr("The lock has not expired by the server's clock");
    if (why == "nothing")
        return ReceiptText::tr("There is nothing to change");
    if (why == "agrees")
        return ReceiptText::tr("Value and permits already match");
    if (why == "used")
        return ReceiptText::tr("The token is already used");
    if (why == "ghost")
        return ReceiptText::tr("No such token was issued");
    if (why == "expired")
        return ReceiptText::tr("The data to restore has expired in the meantime");
    if (why == "value")
        return ReceiptText::tr("The value does not fit this action");
    if (why == "toomany")
        return ReceiptText::tr("It is too large for one script");
    if (why == "forbidden")
        return ReceiptText::tr("This user lacks permission for a command that the action needs");
    if (why == "argument")
        return ReceiptText::tr("A number is out of range, or was by the time it arrived");
    if (why == "layout")
        return ReceiptText::tr("This library version stores no permits to compare the value with");
    if (why == "late")
        return ReceiptText::tr(
            "The server received it too late: nothing was changed. The server or the "
            "network is slow; replan");
    if (why == "nodump")
        return ReceiptText::tr("This user lacks permission for DUMP, which undo needs: nothing was "
                               "changed. Grant it with ACL SETUSER NAME +dump");
    if (why == "same")
        return ReceiptText::tr("Both lists are the same");
    if (why == "replica")
        return errorText({ErrorCode::Replica, {}});
    return ReceiptText::tr("The script rejected it: %1").arg(displayName(why));
}

// A command failed before anything was written. Redis 7 does not say which one a user may not send.
QString failureText(const QByteArray& error)
{
    if (error.contains("NOPERM") || error.contains("can't run this command"))
        return refusalText("forbidden");
    return ReceiptText::tr("%1. Nothing was changed").arg(errorText(errorFromReply(error)));
}

// The present value of a key may be a payload: shown only as a word that is none for sure.
bool isPlainWord(const QByteArray& text)
{
    return text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      QByteArrayView("-_.:/@").contains(c);
           });
}

QString conflictText(const QByteArray& now, bool undoes)
{
    if (undoes) // compared with what the action left: what was seen when it was planned is no
                // matter
        return ReceiptText::tr("It has changed since that action; nothing was changed");
    return now.isEmpty() || !isPlainWord(now)
               ? ReceiptText::tr("It has changed since the plan; nothing "
                                 "was changed")
               : ReceiptText::tr("It has changed since the plan, and is now %1. Nothing was "
                                 "changed")
                     .arg(displayPreview(now, 128));
}

// Errors that the server gives before a script's first command.
bool beforeItRan(const Error& error)
{
    switch (error.code) {
    case ErrorCode::NoAuth:
    case ErrorCode::Loading:
    case ErrorCode::Busy:
    case ErrorCode::MasterDown:
    case ErrorCode::ReadOnly:
    case ErrorCode::Moved:
    case ErrorCode::ClusterDown:
    case ErrorCode::OutOfMemory:
    case ErrorCode::CannotSave: // of its first write; later ones are let pass
        return true;
    case ErrorCode::NoPerm:
        return !error.detail.contains(QLatin1String("script"));
    case ErrorCode::ServerError:
        return error.detail.startsWith(QLatin1String("ERR unknown command")) ||
               error.detail.startsWith(QLatin1String("ERR Could not find scripting engine"));
    default:
        return false;
    }
}

KeyChange changeOf(const Reply& part, const QByteArray& key)
{
    KeyChange change;
    change.key = key;
    if (part.items.size() < 6)
        return change;
    change.type = part.items[0].text;
    change.bytes = part.items[1].integer;
    if (part.items[2].isText())
        change.dump = part.items[2].text;
    change.expiryMs = part.items[3].integer;
    if (part.items[4].isText())
        change.fingerprintAfter = part.items[4].text;
    change.expiryAfterMs = part.items[5].integer;
    return change;
}

void readDone(const Reply& reply, const std::vector<QByteArray>& keys, Receipt& receipt)
{
    receipt.outcome = Outcome::Succeeded;
    for (const char c : reply.items[3].text)
        receipt.items.push_back(c == '1');
    const std::vector<Reply>& parts = reply.items[4].items;
    for (size_t i = 0; i < parts.size() && i < keys.size(); ++i)
        receipt.changes.push_back(changeOf(parts[i], keys[i]));
    const size_t asked = receipt.items.size();
    receipt.text = asked > 1 && receipt.count < qint64(asked)
                       ? ReceiptText::tr("%1 of %2; the others no longer existed")
                             .arg(receipt.count)
                             .arg(asked)
                       : ReceiptText::tr("Succeeded");
}

} // namespace

QByteArray outcomeId(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded:
        return QByteArrayLiteral("done");
    case Outcome::Conflict:
        return QByteArrayLiteral("conflict");
    case Outcome::Refused:
        return QByteArrayLiteral("refused");
    case Outcome::Unknown:
        break;
    }
    return QByteArrayLiteral("unknown");
}

QString outcomeTitle(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded:
        return ReceiptText::tr("Succeeded");
    case Outcome::Conflict:
        return ReceiptText::tr("Conflict");
    case Outcome::Refused:
        return ReceiptText::tr("Refused");
    case Outcome::Unknown:
        break;
    }
    return ReceiptText::tr("Outcome unknown");
}

std::optional<Outcome> outcomeFromId(const QByteArray& id)
{
    for (Outcome o : {Outcome::Succeeded, Outcome::Conflict, Outcome::Refused, Outcome::Unknown}) {
        if (outcomeId(o) == id)
            return o;
    }
    return std::nullopt;
}

Result<Script> actionScript(const QByteArray& name)
{
    const QString folder = QStringLiteral(":/lua/actions/");
    const Result<Script> prelude = Script::fromResource(folder + QStringLiteral("prelude.lua"));
    const Result<Script> own =
        Script::fromResource(folder + QString::fromLatin1(name) + QStringLiteral(".lua"));
    if (!prelude)
        return prelude;
    if (!own)
        return own;
    return Script(prelude->source() + "local function act()\n" + own->source() +
                  "end\nreturn guarded(act)\n");
}

std::vector<QByteArray> actionArgs(const std::vector<QByteArray>& args, qint64 deadlineMs)
{
    std::vector<QByteArray> all{QByteArray::number(undoLimitBytes) + ' ' +
                                QByteArray::number(deadlineMs)};
    all.insert(all.end(), args.begin(), args.end());
    return all;
}

void readAnswer(const Reply& reply, const std::vector<QByteArray>& keys, Receipt& receipt)
{
    if (reply.isError()) {
        const Error error = errorFromReply(reply.text);
        receipt.outcome = beforeItRan(error) ? Outcome::Refused : Outcome::Unknown;
        receipt.text = errorText(error);
        const QString advice = errorAdvice(error);
        if (receipt.outcome == Outcome::Unknown)
            receipt.text += ReceiptText::tr(": the script stopped midway; check the state");
        else if (error.code == ErrorCode::NoPerm && !advice.isEmpty())
            receipt.text += QStringLiteral(". ") + advice.chopped(1); // without its full stop
        return;
    }
    const bool wellFormed = reply.items.size() == 5 && reply.items[1].isInteger();
    const QByteArray status = wellFormed ? reply.items[0].text : QByteArray();
    receipt.count = wellFormed ? reply.items[1].integer : 0;
    if (status == "done") {
        readDone(reply, keys, receipt);
    } else if (status == "conflict") {
        receipt.outcome = Outcome::Conflict;
        receipt.text = conflictText(reply.items[2].text, !receipt.undoes.isEmpty());
        receipt.journalText = conflictText({}, !receipt.undoes.isEmpty());
    } else if (status == "refused") {
        const QByteArray& why = reply.items[2].text;
        // A key that existed when the plan was made and is missing now is a conflict.
        receipt.outcome = why == "missing" ? Outcome::Conflict : Outcome::Refused;
        receipt.text = why == "error" ? failureText(reply.items[3].text) : refusalText(why);
    } else {
        receipt.outcome = Outcome::Unknown;
        receipt.text =
            ReceiptText::tr("The server's reply is not what the script returns; check the "
                            "state");
    }
}

void readLoss(const Error& error, bool sent, Receipt& receipt)
{
    if (!sent) {
        receipt.outcome = Outcome::Refused;
        receipt.text = ReceiptText::tr("%1. Nothing was sent").arg(errorText(error));
        return;
    }
    receipt.outcome = Outcome::Unknown;
    receipt.text =
        ReceiptText::tr("No reply (%1): it ran once or not at all. It is not sent again, and "
                        "the server rejects it from now on. Check the state before you try "
                        "again")
            .arg(errorText(error));
}

} // namespace lk
