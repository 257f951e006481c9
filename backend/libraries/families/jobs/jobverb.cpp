// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobverb.h"

namespace lk::actions {

QByteArray idOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return QByteArrayLiteral("queue.retry");
    case JobVerb::Promote:
        return QByteArrayLiteral("queue.promote");
    case JobVerb::Requeue:
        return QByteArrayLiteral("queue.requeue");
    case JobVerb::DeadLetter:
        return QByteArrayLiteral("queue.dead-letter");
    case JobVerb::DiscardOld:
        return QByteArrayLiteral("queue.discard-old");
    case JobVerb::Discard:
        break;
    }
    return QByteArrayLiteral("queue.discard");
}

const char* scriptVerb(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return "retry";
    case JobVerb::Promote:
        return "promote";
    case JobVerb::Requeue:
        return "requeue";
    case JobVerb::DeadLetter:
        return "fail";
    case JobVerb::DiscardOld:
        return "clean";
    case JobVerb::Discard:
        break;
    }
    return "remove";
}

QString titleOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return ActionText::tr("Retry");
    case JobVerb::Promote:
        return ActionText::tr("Promote");
    case JobVerb::Requeue:
        return ActionText::tr("Requeue");
    case JobVerb::DeadLetter:
        return ActionText::tr("Move to dead letters");
    case JobVerb::DiscardOld:
        return ActionText::tr("Discard old jobs");
    case JobVerb::Discard:
        break;
    }
    return ActionText::tr("Discard");
}

QString summaryOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return ActionText::tr("retry failed jobs");
    case JobVerb::Promote:
        return ActionText::tr("make delayed jobs available to workers now");
    case JobVerb::Requeue:
        return ActionText::tr("return jobs whose worker is gone to the queue");
    case JobVerb::DeadLetter:
        return ActionText::tr("move jobs to the dead letters, or to the library's equivalent");
    case JobVerb::DiscardOld:
        return ActionText::tr("discard old finished or failed jobs, oldest first");
    case JobVerb::Discard:
        break;
    }
    return ActionText::tr("discard jobs with everything stored about them");
}

QString questionOf(JobVerb verb, int jobs, const QString& queue)
{
    switch (verb) {
    case JobVerb::Retry:
        return ActionText::tr("Retry %Ln job(s) of %1?", nullptr, jobs).arg(queue);
    case JobVerb::Promote:
        return ActionText::tr("Promote %Ln job(s) of %1?", nullptr, jobs).arg(queue);
    case JobVerb::Requeue:
        return ActionText::tr("Requeue %Ln job(s) of %1?", nullptr, jobs).arg(queue);
    case JobVerb::DeadLetter:
        return ActionText::tr("Move %Ln job(s) of %1 to dead letters?", nullptr, jobs).arg(queue);
    case JobVerb::DiscardOld:
        return ActionText::tr("Discard %Ln old job(s) of %1?", nullptr, jobs).arg(queue);
    case JobVerb::Discard:
        break;
    }
    return ActionText::tr("Discard %Ln job(s) of %1?", nullptr, jobs).arg(queue);
}

QString consequenceOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return ActionText::tr("Workers process them again; what failed may fail again.");
    case JobVerb::Promote:
        return ActionText::tr("Workers process them now instead of when they are due.");
    case JobVerb::Requeue:
        return ActionText::tr("Another worker will pick these jobs up and start them from the "
                              "beginning. They are moved once; if the original worker is still "
                              "alive, a job runs twice.");
    case JobVerb::DeadLetter:
        return ActionText::tr("Workers do not process them until they are retried. Callbacks "
                              "of the application do not run.");
    case JobVerb::DiscardOld:
        return ActionText::tr(
            "Everything stored about these jobs is removed. Workers are not affected.");
    case JobVerb::Discard:
        break;
    }
    return ActionText::tr("The jobs are removed and never processed.");
}

std::vector<ActionParameter> parametersOf(JobVerb verb, const std::vector<QByteArray>& states)
{
    using Type = ActionParameter::Type;
    const auto text = [](const char* name, const QString& label, const QString& help) {
        return ActionParameter{name, Type::Text, label, help, false, {}, {}, true};
    };
    std::vector<ActionParameter> all;
    if (verb == JobVerb::DiscardOld) {
        all.push_back({QByteArrayLiteral("older-than"),
                       Type::Duration,
                       ActionText::tr("Older than"),
                       ActionText::tr("only jobs that finished longer ago than this: 12h, 7d"),
                       true,
                       {},
                       {}});
        all.push_back({QByteArrayLiteral("most"),
                       Type::Count,
                       ActionText::tr("At most"),
                       ActionText::tr("at most this many jobs, up to %1; the rest is counted")
                           .arg(mostAgedJobs),
                       false,
                       {},
                       QByteArray::number(mostLibraryJobs)});
    } else {
        all.push_back(
            text("job", ActionText::tr("Job"), ActionText::tr("job IDs, separated by commas")));
        all.push_back(
            {QByteArrayLiteral("all"),
             Type::Flag,
             ActionText::tr("All"),
             ActionText::tr("all jobs of the state, up to %1 at a time").arg(mostJobsInSteps),
             false,
             {},
             {},
             true});
    }
    if (verb == JobVerb::Requeue)
        all.push_back({QByteArrayLiteral("older-than"),
                       Type::Duration,
                       ActionText::tr("Older than"),
                       ActionText::tr("only abandoned jobs in progress for longer than this"),
                       false,
                       {},
                       {},
                       true});
    if (verb == JobVerb::Retry) {
        all.push_back(text("error", ActionText::tr("Error"),
                           ActionText::tr("only jobs that failed with exactly this error")));
        all.push_back(
            text("name", ActionText::tr("Name"), ActionText::tr("only jobs of this name")));
        all.push_back({QByteArrayLiteral("rate"),
                       Type::Count,
                       ActionText::tr("Jobs per second"),
                       ActionText::tr("retry this many jobs per second, up to %1 jobs in total; "
                                      "default: all at once")
                           .arg(mostJobsInSteps),
                       false,
                       {},
                       {}});
    }
    if (states.size() > 1)
        all.push_back({QByteArrayLiteral("state"), Type::Choice, ActionText::tr("State"),
                       ActionText::tr("the state of the jobs"), false,
                       QByteArrayList(states.begin(), states.end()), states.front()});
    return all;
}

} // namespace lk::actions
