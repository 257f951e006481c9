// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journal.h"

#include <QFile>

namespace lk::test {

inline Plan madePlan(const QByteArray& name = "lock:a")
{
    Plan plan;
    plan.action = "lock.release";
    plan.kind = Kind::Lock;
    plan.layout = "set-nx-px";
    plan.name = plan.journalName = name;
    plan.guard = QStringLiteral("the owner is still w1");
    plan.script = "lock-release";
    plan.keys = {name};
    plan.args = {"SECRET-ARG"};
    plan.undo.kind = UndoWay::Kind::Restore;
    return plan;
}

inline Receipt madeReceipt(const QByteArray& id, Outcome outcome = Outcome::Succeeded)
{
    Receipt receipt;
    receipt.id = id;
    receipt.action = "lock.release";
    receipt.name = "lock:a";
    receipt.outcome = outcome;
    receipt.text = QStringLiteral("Succeeded");
    receipt.count = 1;
    receipt.localMs = 1'800'000'000'123;
    receipt.serverMs = 1'800'000'000'456;
    receipt.undoable = true;
    receipt.revealed = "SECRET-CODE";
    KeyChange change;
    change.key = "lock:a";
    change.type = "string";
    change.bytes = 72;
    change.dump = QByteArray("SECRET-DUMP\0\xff", 13);
    change.expiryMs = 1'800'000'600'000;
    change.fingerprintAfter = QByteArray();
    receipt.changes = {change};
    return receipt;
}

inline QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline bool write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace lk::test
