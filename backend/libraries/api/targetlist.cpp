// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/targetlist.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"

namespace lk::actions {

QByteArray listOf(const Primitive& queue, JobRole role)
{
    return queue.key(jobRoleId(role).constData());
}

namespace {

// The declaration as it would appear in the configuration file.
QString declarationText(const Primitive& queue, const QByteArray& ready, JobRole role,
                        const QByteArray& companion)
{
    return QStringLiteral("[[queue]] key = \"%1\" layout = \"%2\" %3 = \"%4\"")
        .arg(displayName(ready), QString::fromLatin1(queue.id.layout),
             QString::fromLatin1(jobRoleId(role)), displayName(companion));
}

QByteArray readyOf(const Primitive& queue)
{
    const QByteArray ready = listOf(queue, JobRole::Ready);
    return ready.isEmpty() ? queue.id.name : ready;
}

} // namespace

Result<QByteArray> writableList(const Primitive& queue, JobRole role)
{
    const QByteArray wanted = jobRoleId(role);
    for (const KeyRole& key : queue.keys) {
        if (key.role == wanted && !key.key.isEmpty() && !key.assumed)
            return key.key;
    }
    const QByteArray ready = readyOf(queue);
    const QByteArray processing = listOf(queue, JobRole::Processing);
    if (role != JobRole::Ready)
        return notPossible(
            ActionText::tr("This queue's %1 list has not been seen and is not declared. Declare "
                           "it in the configuration file: %2")
                .arg(QString::fromLatin1(jobRoleId(role)),
                     declarationText(queue, ready, role, ready + ':' + wanted)));
    return notPossible(
        ActionText::tr("The list %1 has not been seen and is not declared; workers may read from "
                       "another one. Declare the list they read from in the configuration file: %2")
            .arg(displayName(ready),
                 declarationText(queue, ready, JobRole::Processing,
                                 processing.isEmpty() ? ready + ":processing" : processing)));
}

} // namespace lk::actions
